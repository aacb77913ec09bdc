import { useIsReachable } from '#web/client/use-session.ts'
import { IconCloudOff } from '#web/kit/icons/icon-cloud-off.ts'
import './offline-bar.css'

/** Says that the server is out of reach, for as long as it is. */
export function OfflineBar() {
  const isReachable = useIsReachable()
  return (
    <div role="status">
      {!isReachable && (
        <div className="offline-bar">
          <IconCloudOff size={16} stroke={1.5} aria-hidden />
          The server cannot be reached. Trying again; what you see may be out of date.
        </div>
      )}
    </div>
  )
}
