import { Button } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { connectionState, pendingChanges } from '#web/data/connection/connection-state.ts'

import { useIsReachable } from '#web/data/session/use-session.ts'
import { IconCloudOff } from '#web/ui/icons/start.ts'
import { plural, t } from '#web/i18n/t.ts'
import './frame-bar.css'

/** Shown while the server is unreachable, with pending changes and the next attempt. */
export function OfflineBar() {
  const isReachable = useIsReachable()
  const waiting = useSyncExternalStore(pendingChanges.subscribe, pendingChanges.snapshot)
  return (
    <div role="status">
      {!isReachable && (
        <div className="frame-bar" data-kind="offline">
          <IconCloudOff size={16} stroke={1.5} aria-hidden />
          <p>
            <strong>{t('Can’t reach the server.')}</strong> {t('Your edits are kept in this browser.')}
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

/** Not announced, because it changes every second. */
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
