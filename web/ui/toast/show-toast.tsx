import { type ToastOptions, toast } from 'react-toastify/unstyled'
import { TOASTS } from '#domain/specification.ts'
import type { ToastCall, NotifyOptions } from './toast-options.ts'
import { ToastBody } from './toast-body.tsx'
import type { ToastEntries, ToastEntry, ToastKind } from './toast-entries.ts'

function shownMs(kind: ToastKind, options: NotifyOptions): number | false {
  // What must be read or answered has no time limit (WCAG 2.2.1).
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
      if (entries.get(entry.id)?.isDismissed) toast.dismiss(entry.toastId)
    },
    onClose: () => entries.forget(entry),
  }
}

/** Shows a toast, or puts it in line. */
export function showToast(entries: ToastEntries, { entry, isNew, options }: ToastCall): void {
  // All may have been taken away since.
  if (entries.get(entry.id)?.toastId !== entry.toastId) return
  const body = <ToastBody entry={entry} entries={entries} onClose={() => dismissToast(entries, entry.id)} />

  if (isNew) toast(body, toastOptions(entries, entry, options))
  // Updating with the same options starts the time again, so that the repeated toast can be read.
  else if (toast.isActive(entry.toastId)) {
    toast.update(entry.toastId, { ...toastOptions(entries, entry, options), render: body })
  }
}

/** Takes one toast away, also one that still waits for its turn. */
export function dismissToast(entries: ToastEntries, id: string): void {
  const entry = entries.dismiss(id)
  if (entry) toast.dismiss(entry.toastId)
}

/** Takes all toasts away, shown and waiting. */
export function clearToasts(): void {
  toast.clearWaitingQueue()
  toast.dismiss()
}
