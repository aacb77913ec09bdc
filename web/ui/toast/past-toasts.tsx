import { Button } from '@mantine/core'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconBell } from '#web/ui/icons/frame.ts'
import { useStore } from '#web/ui/store.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { toastHistory } from './notify.ts'
import { TOAST_ICONS } from './show-toast.tsx'
import type { PastToast } from './toast-entries.ts'
import './past-toasts.css'

type ToastHistoryListProps = { readonly isOpen: boolean; readonly onClose: () => void }

export function ToastHistoryList({ isOpen, onClose }: ToastHistoryListProps) {
  const past = useStore(toastHistory)
  return (
    <Dialog opened={isOpen} onClose={onClose} title={UI_TEXTS.toasts.past} size={520}>
      {past.length === 0 ? (
        <EmptyState icon={IconBell} text={UI_TEXTS.toasts.none} />
      ) : (
        <>
          <ul className="past-toasts">
            {past.map((one) => (
              <Past key={one.toastId} past={one} />
            ))}
          </ul>
          <div className="past-toasts-end">
            <Button onClick={toastHistory.clear}>{UI_TEXTS.toasts.clear}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function Past({ past: { kind, text, detail, action, times, at } }: { readonly past: PastToast }) {
  const KindIcon = TOAST_ICONS[kind]
  return (
    <li>
      <KindIcon className="past-toast-icon" data-kind={kind} size={18} stroke={1.5} aria-hidden />
      <div>
        <p>
          {text}
          {times > 1 && <span> ×{times}</span>}
        </p>
        {detail && <p className="past-toast-detail">{detail}</p>}
      </div>
      {action && (
        <Button size="xs" onClick={action.run}>
          {action.label}
        </Button>
      )}
      <RelativeTime at={at} />
    </li>
  )
}
