import { lazyModule } from '#web/ui/loading/lazy-module.tsx'

import {
  createToastEntries,
  createToastHistory,
  type NotifyOptions,
  type ToastCall,
  type ToastKind,
} from './toast-entries.ts'

/** What shows toasts, and the place where it shows them; no page has one to show at its first look. */
export const toastStage = lazyModule(async () => {
  const [{ Toaster }, ways] = await Promise.all([import('./toaster.tsx'), import('./show-toast.tsx')])
  const { showToast, dismissToast, clearToasts } = ways
  return { Toaster, showToast, dismissToast, clearToasts }
})

const entries = createToastEntries()

/** What was said lately in this tab. */
export const toastHistory = createToastHistory()

function showOnceThere(called: ToastCall): void {
  toastStage.load().then(
    ({ showToast }) => showToast(entries, called),
    // In the first second of a page that has lost its server; the bar at the top says so.
    () => entries.forget(called.entry),
  )
}

function show(kind: ToastKind, text: string, options: NotifyOptions = {}): string {
  const called = { ...entries.join(kind, text, options), options }
  toastHistory.note(called.entry, new Date().toISOString())
  const stage = toastStage.current()
  if (stage) stage.showToast(entries, called)
  else showOnceThere(called)
  return called.entry.id
}

/** Tells people what just happened. Returns the id with which the toast can be dismissed. */
export const notify = {
  success: (text: string, options?: NotifyOptions) => show('success', text, options),
  error: (text: string, options?: NotifyOptions) => show('error', text, options),
  info: (text: string, options?: NotifyOptions) => show('info', text, options),
  warning: (text: string, options?: NotifyOptions) => show('warning', text, options),
  /** Takes one toast away, also one that still waits for its turn. */
  dismiss: (id: string) => {
    const stage = toastStage.current()
    if (stage) stage.dismissToast(entries, id)
    else entries.dismiss(id)
  },
  /** Takes all toasts away, shown and waiting; for leaving the session. */
  clear: () => {
    entries.clear()
    toastHistory.clear()
    toastStage.current()?.clearToasts()
  },
}
