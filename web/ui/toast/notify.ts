import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import {
  createToastEntries,
  createToastHistory,
  type NotifyOptions,
  type ToastCall,
  type ToastKind,
  staysAfterLeavingMs,
} from './toast-entries.ts'

export const toastStage = lazyModule(async () => {
  const [{ Toaster }, ways] = await Promise.all([import('./toaster.tsx'), import('./show-toast.tsx')])
  const { showToast, dismissToast, clearToasts } = ways
  return { Toaster, showToast, dismissToast, clearToasts }
})

const entries = createToastEntries()

export const shownToasts = { get: entries.get, subscribe: entries.subscribe }

export const toastHistory = createToastHistory()

function showOnceThere(called: ToastCall): void {
  toastStage.load().then(
    ({ showToast }) => showToast(entries, called),
    // If the toast code can't be loaded because the connection was lost, the connection bar reports that.
    () => entries.forget(called.entry),
  )
}

function show(kind: ToastKind, text: string, options: NotifyOptions = {}): string {
  const called = { ...entries.join(kind, text, options), options }
  toastHistory.note(called.entry, new Date().toISOString())
  const stage = toastStage.get()
  if (stage) stage.showToast(entries, called)
  else showOnceThere(called)
  return called.entry.id
}

/** Shows a notification and returns the ID used to dismiss it. */
export const notify = {
  success: (text: string, options?: NotifyOptions) => show('success', text, options),
  error: (text: string, options?: NotifyOptions) => show('error', text, options),
  info: (text: string, options?: NotifyOptions) => show('info', text, options),
  warning: (text: string, options?: NotifyOptions) => show('warning', text, options),
  dismiss: (id: string) => {
    const stage = toastStage.get()
    if (stage) stage.dismissToast(entries, id)
    else entries.dismiss(id)
  },
  /** Toasts belong to the page that shows them. */
  leavePage: () => {
    for (const toast of entries.get().values()) {
      const { id, shownAtMs } = toast
      const ms = staysAfterLeavingMs(toast, Date.now())
      if (ms === 0) notify.dismiss(id)
      else if (ms !== Number.POSITIVE_INFINITY) {
        // A later notification with the same ID has its own timer.
        setTimeout(() => entries.find(id)?.shownAtMs === shownAtMs && notify.dismiss(id), ms)
      }
    }
  },
  clear: () => {
    entries.clear()
    toastHistory.clear()
    toastStage.get()?.clearToasts()
  },
}
