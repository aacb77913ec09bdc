import { Button, CloseButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { ToastEntries, ToastEntry } from './toast-entries.ts'
import { TOAST_ICONS } from './toast-icons.ts'

/** What stands inside a toast: an icon, the words, at most one action, and buttons to close it. */
export function ToastBody(props: { entry: ToastEntry; entries: ToastEntries; onClose: () => void }) {
  const { entries, onClose } = props
  const entry = useSyncExternalStore(entries.subscribe, () => entries.get(props.entry.id)) ?? props.entry
  const Icon = TOAST_ICONS[entry.kind]
  const { action, decline } = entry

  return (
    <>
      <Icon className="toast-icon" size={18} stroke={1.5} aria-hidden />
      <div className="toast-words">
        <div>
          {entry.text}
          {entry.times > 1 && (
            <span className="toast-times">
              <span aria-hidden>×{entry.times}</span>
              <span className="visually-hidden">{UI_TEXTS.toasts.repeated(entry.times)}</span>
            </span>
          )}
        </div>
        {entry.detail && <div className="toast-detail">{entry.detail}</div>}
      </div>
      {action && (
        <Button
          size="xs"
          onClick={() => {
            action.run()
            onClose()
          }}
        >
          {action.label}
        </Button>
      )}
      {decline !== undefined && (
        <Button size="xs" variant="subtle" onClick={onClose}>
          {decline}
        </Button>
      )}
      <CloseButton size="sm" iconSize={16} aria-label={UI_TEXTS.toasts.close} onClick={onClose} />
    </>
  )
}
