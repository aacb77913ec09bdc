import { createStore } from '#web/ui/store.ts'

export type ToastKind = 'success' | 'error' | 'info' | 'warning'

type ToastAction = {
  readonly label: string
  readonly run: () => void
  /** Whether the action is idempotent and can run later, so that the notification list also offers it. */
  readonly isLasting?: true
}

export type ToastEntry = {
  readonly id: string
  /** A new ID each time, for the toast library, so that a toast can be shown again while the old one is fading out. */
  readonly toastId: string
  readonly kind: ToastKind
  readonly text: string
  readonly detail?: string
  readonly action?: ToastAction
  readonly decline?: string
  readonly times: number
  readonly isDismissed: boolean
  readonly shownAtMs: number
  readonly isAboutWorkspace: boolean
}

type ToastRequest = {
  readonly isAboutWorkspace?: true
  readonly id?: string
  readonly detail?: string
  readonly action?: ToastAction
  readonly decline?: string
}

/** Visible and queued toasts. Merges duplicates, which the library does only for visible toasts. */
export function createToastEntries() {
  const entries = createStore<ReadonlyMap<string, ToastEntry>>(new Map())
  let made = 0

  const find = (id: string) => entries.get().get(id)
  const put = (entry: ToastEntry) => entries.set(new Map(entries.get()).set(entry.id, entry))

  return {
    get: entries.get,
    subscribe: entries.subscribe,
    find,
    join(
      kind: ToastKind,
      text: string,
      request: ToastRequest,
      nowMs = Date.now(),
    ): { entry: ToastEntry; isNew: boolean } {
      const id = request.id ?? `${kind}:${text}`
      const found = find(id)
      // A toast that is fading out can't be updated.
      const before = found?.isDismissed ? undefined : found
      const isRepeated = before?.text === text && before.kind === kind
      made += before ? 0 : 1
      const entry: ToastEntry = {
        id,
        toastId: before?.toastId ?? `toast-${made}`,
        kind,
        text,
        ...(request.detail !== undefined && { detail: request.detail }),
        ...(request.action && { action: request.action }),
        ...(request.decline !== undefined && { decline: request.decline }),
        times: isRepeated ? before.times + 1 : 1,
        isDismissed: false,
        shownAtMs: nowMs,
        isAboutWorkspace: request.isAboutWorkspace === true,
      }
      put(entry)
      return { entry, isNew: before === undefined }
    },
    dismiss(id: string) {
      const entry = find(id)
      if (entry) put({ ...entry, isDismissed: true })
      return entry
    },
    /** Removes a closed toast unless another one has taken its ID. */
    forget(gone: ToastEntry) {
      if (find(gone.id)?.toastId !== gone.toastId) return
      const rest = new Map(entries.get())
      rest.delete(gone.id)
      entries.set(rest)
    },
    clear: () => entries.set(new Map()),
  }
}

export type ToastEntries = ReturnType<typeof createToastEntries>

/** In ms: a toast shown this shortly before navigation, for example after a deletion, belongs to the new page. */
const SHOWN_ON_LEAVING_MS = 1500

/**
 * In ms: how long a toast with an action, error or warning is shown if the user leaves its page; afterwards, it is in
 * the notification list.
 */
const AFTER_LEAVING_MS = 10_000

/** In ms: how long a toast stays after the user leaves its page; 0 removes it immediately. */
export function staysAfterLeavingMs(toast: ToastEntry, nowMs: number): number {
  const ageMs = nowMs - toast.shownAtMs
  if (toast.isAboutWorkspace || ageMs < SHOWN_ON_LEAVING_MS) return Number.POSITIVE_INFINITY
  const isToBeRead = toast.action !== undefined || toast.kind === 'error' || toast.kind === 'warning'
  return isToBeRead ? Math.max(0, AFTER_LEAVING_MS - ageMs) : 0
}

export const MAX_REMEMBERED = 50

export type PastToast = {
  readonly toastId: string
  readonly kind: ToastKind
  readonly text: string
  readonly detail?: string
  readonly action?: ToastAction
  readonly times: number
  readonly at: string
}

export function createToastHistory() {
  const { get, set, subscribe } = createStore<readonly PastToast[]>([])
  return {
    get,
    subscribe,
    note({ toastId, kind, text, detail, action, times }: ToastEntry, at: string) {
      const extra = { ...(detail !== undefined && { detail }), ...(action?.isLasting && { action }) }
      const noted = { toastId, kind, text, ...extra, times, at }
      set([noted, ...get().filter((one) => one.toastId !== toastId)].slice(0, MAX_REMEMBERED))
    },
    clear: () => set([]),
  }
}

export type NotifyOptions = {
  /**
   * Toasts with the same ID or, without an ID, the same kind and text are merged: a second call updates the first
   * toast.
   */
  readonly id?: string
  readonly detail?: string
  /** A single action, such as undo. A toast with an action stays until the user responds, unless it is brief. */
  readonly action?: ToastAction
  readonly isBrief?: true
  readonly decline?: string
  /** Whether the toast stays until closed even though it isn't an error and has no action. */
  readonly stays?: true
  /** Whether the toast concerns background work, so that it stays after navigation. */
  readonly isAboutWorkspace?: true
}

export type ToastCall = { readonly entry: ToastEntry; readonly isNew: boolean; readonly options: NotifyOptions }
