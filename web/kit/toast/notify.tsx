import { type ToastOptions, toast } from 'react-toastify/unstyled'
import { TOASTS } from '#domain/specification.ts'
import { ToastBody } from './toast-body.tsx'
import { createToastEntries, type ToastEntry, type ToastKind } from './toast-entries.ts'

/** What a notification can offer besides its words. */
export type NotifyOptions = {
  /** Same id, same toast: a second call joins the first. Without one, same kind and same words are the same toast. */
  readonly id?: string
  /** A second, quieter line. */
  readonly detail?: string
  /** One thing to do about it, for instance undo. A toast with an action stays until it is answered. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** How long it is shown; `stay` until it is closed. Default: 5000 ms, errors and toasts with an action stay. */
  readonly shownMs?: number | 'stay'
}

const entries = createToastEntries()

function shownMs(kind: ToastKind, options: NotifyOptions): number | false {
  if (options.shownMs === 'stay') return false
  if (options.shownMs !== undefined) return options.shownMs
  // What must be read or answered has no time limit (WCAG 2.2.1).
  if (kind === 'error' || options.action) return false
  return TOASTS.displayMs
}

function toastOptions(entry: ToastEntry, options: NotifyOptions): ToastOptions {
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

function show(kind: ToastKind, text: string, options: NotifyOptions = {}): string {
  const { entry, isNew } = entries.join(kind, text, options)
  const body = <ToastBody entry={entry} entries={entries} onClose={() => notify.dismiss(entry.id)} />

  if (isNew) toast(body, toastOptions(entry, options))
  // Updating with the same options starts the time again, so that the repeated toast can be read.
  else if (toast.isActive(entry.toastId)) toast.update(entry.toastId, { ...toastOptions(entry, options), render: body })

  return entry.id
}

/** Tells people what just happened. Returns the id with which the toast can be dismissed. */
export const notify = {
  success: (text: string, options?: NotifyOptions) => show('success', text, options),
  error: (text: string, options?: NotifyOptions) => show('error', text, options),
  info: (text: string, options?: NotifyOptions) => show('info', text, options),
  warning: (text: string, options?: NotifyOptions) => show('warning', text, options),
  /** Takes one toast away, also one that still waits for its turn. */
  dismiss: (id: string) => {
    const entry = entries.dismiss(id)
    if (entry) toast.dismiss(entry.toastId)
  },
  /** Takes all toasts away, shown and waiting; for leaving the session. */
  clear: () => {
    toast.clearWaitingQueue()
    entries.clear()
    toast.dismiss()
  },
}
