import type { ToastAction, ToastEntry, ToastKind } from './toast-entries.ts'

/** Most that are remembered. */
export const MAX_REMEMBERED = 50

/** A notification as it is read again later. */
export type PastToast = {
  readonly toastId: string
  readonly kind: ToastKind
  readonly text: string
  readonly detail?: string
  /** What can still be done about it. */
  readonly action?: ToastAction
  readonly times: number
  /** When it was last said, ISO 8601. */
  readonly at: string
}

/** What was said lately in this tab, the latest first. */
export function createToastHistory() {
  let past: readonly PastToast[] = []
  const listeners = new Set<() => void>()
  function change(next: readonly PastToast[]) {
    past = next
    for (const listener of listeners) listener()
  }
  return {
    /** Takes down what is said; what is said again moves to the front. */
    note({ toastId, kind, text, detail, action, times }: ToastEntry, at: string) {
      const extra = { ...(detail !== undefined && { detail }), ...(action?.isLasting && { action }) }
      const noted = { toastId, kind, text, ...extra, times, at }
      change([noted, ...past.filter((one) => one.toastId !== toastId)].slice(0, MAX_REMEMBERED))
    },
    list: () => past,
    clear: () => change([]),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
