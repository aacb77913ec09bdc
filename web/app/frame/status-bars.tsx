import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { connectionState, pendingChanges, versionState } from '#web/data/connection/connection-state.ts'
import { unsentState } from '#web/data/unsent/unsent-state.ts'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { IconCloudOff, IconRefresh } from '#web/ui/icons/start.ts'
import { useStore } from '#web/ui/store.ts'
import { plural, t } from '#web/i18n/t.ts'
import './frame-bar.css'

/**
 * Shows pending changes and the next retry time while the server is unreachable. `UnsentBar` is shown after
 * reconnecting.
 */
function OfflineBar() {
  const isReachable = useIsReachable()
  const waiting = useStore(pendingChanges)
  const { records } = useStore(unsentState)
  return (
    <div role="status">
      {!isReachable && (
        <div className="frame-bar" data-kind="offline">
          <IconCloudOff size={16} stroke={1.5} aria-hidden />
          <p>
            <strong>{t('Can’t reach the server.')}</strong> {t('Your edits are kept in this browser.')}
            {records.length > 0 &&
              ` ${plural(records.length, '{n} new record will be sent later.', '{n} new records will be sent later.')}`}
            {waiting > 0 &&
              ` ${plural(waiting, '{n} change not sent yet. Keep this tab open.', '{n} changes not sent yet. Keep this tab open.')}`}
          </p>
          <div className="frame-bar-ways">
            <NextTry />
            <Button size="xs" onClick={() => connectionState.tryNow()}>
              {t('Retry now')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

const TICK_MS = 500

const secondsToNextTry = () => Math.max(0, Math.ceil((connectionState.nextTryAtMs() - Date.now()) / 1000))

/** Not announced by screen readers, because it changes every second. */
function NextTry() {
  const [seconds, setSeconds] = useState(secondsToNextTry)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsToNextTry()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="frame-bar-next" aria-hidden>
      {seconds === 0 ? t('Retrying') : t('Retrying in {seconds} s', { seconds })}
    </span>
  )
}

/** Shows that the server has been updated. Never reloads automatically, because the user may be typing. */
function UpdateBar() {
  const isOutdated = useStore(versionState.outdated)
  // The reload button is hidden while the server is unreachable, because the reload would fail.
  const isReachable = useIsReachable()
  return (
    <div role="status">
      {isOutdated && isReachable && (
        <div className="frame-bar" data-kind="update">
          <IconRefresh size={16} stroke={1.5} aria-hidden />
          <p>
            <strong>{t('A new version is available.')}</strong> {t('Your unsaved edits are kept when you reload.')}
          </p>
          <div className="frame-bar-ways">
            <Button size="xs" variant="filled" onClick={() => window.location.reload()}>
              {t('Reload')}
            </Button>
            <Button size="xs" variant="subtle" color="gray" onClick={() => versionState.dismiss()}>
              {t('Later')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

/** Loaded when the browser is idle, or when the server becomes unreachable or is updated. */
export function Bars() {
  return (
    <>
      <OfflineBar />
      <UpdateBar />
    </>
  )
}
