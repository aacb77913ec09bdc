import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { versionState } from '#web/data/connection/connection-state.ts'
import { IconRefresh } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import './frame-bar.css'

/** Announces a newer server version. Never reloads by itself, because the user may be typing. */
export function UpdateBar() {
  const isOutdated = useSyncExternalStore(versionState.subscribe, versionState.isOutdated)
  // A reload would fail while the server is unreachable.
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
