import { toast, type ToastOptions } from 'react-toastify/unstyled'
import { TOASTS } from '#domain/specification.ts'
import type { NotifyOptions, ToastCall, ToastEntries, ToastEntry, ToastKind } from './toast-entries.ts'
import { Button, CloseButton } from '@mantine/core'
import { useStore } from '#web/ui/store.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { IconAlertCircle, IconAlertTriangle } from '#web/ui/icons/start.ts'
import { IconInfoCircle } from '#web/ui/icons/general.ts'
import { IconCircleCheck } from '#web/ui/icons/later.ts'

export const TOAST_ICONS: Readonly<Record<ToastKind, typeof IconInfoCircle>> = {
  success: IconCircleCheck,
  error: IconAlertCircle,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
}

function ToastBody(props: { entry: ToastEntry; entries: ToastEntries; onClose: () => void }) {
  const { entries, onClose } = props
  const latest = useStore(entries, (all) => all.get(props.entry.id))
  // A toast that is fading out keeps its text if another toast has taken its ID.
  const entry = latest?.toastId === props.entry.toastId ? latest : props.entry
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

function shownMs(kind: ToastKind, options: NotifyOptions): number | false {
  // Messages that the user must read or respond to have no time limit (WCAG 2.2.1).
  const isToBeAnswered = options.action !== undefined && !options.isBrief
  return kind === 'error' || isToBeAnswered || options.stays ? false : TOASTS.displayMs
}

function toastOptions(entries: ToastEntries, entry: ToastEntry, options: NotifyOptions): ToastOptions {
  return {
    toastId: entry.toastId,
    type: entry.kind,
    role: entry.kind === 'error' || entry.kind === 'warning' ? 'alert' : 'status',
    autoClose: shownMs(entry.kind, options),
    onOpen: () => {
      const latest = entries.find(entry.id)
      if (latest?.toastId !== entry.toastId || latest.isDismissed) toast.dismiss(entry.toastId)
    },
    onClose: () => entries.forget(entry),
  }
}

export function showToast(entries: ToastEntries, { entry, isNew, options }: ToastCall): void {
  // The toast may have been dismissed in the meantime.
  if (entries.find(entry.id)?.toastId !== entry.toastId) return
  const body = <ToastBody entry={entry} entries={entries} onClose={() => dismissToast(entries, entry.id)} />

  if (isNew) toast(body, toastOptions(entries, entry, options))
  // Updating a toast with the same options restarts its timer, so that the user has time to read it.
  else if (toast.isActive(entry.toastId)) {
    toast.update(entry.toastId, { ...toastOptions(entries, entry, options), render: body })
  }
}

export function dismissToast(entries: ToastEntries, id: string): void {
  const entry = entries.dismiss(id)
  if (entry) toast.dismiss(entry.toastId)
}

export function clearToasts(): void {
  toast.clearWaitingQueue()
  toast.dismiss()
}
