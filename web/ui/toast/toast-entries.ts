/** What a toast is about. */
export type ToastKind = 'success' | 'error' | 'info' | 'warning'

/** What can be done about a toast. */
type ToastAction = {
  readonly label: string
  readonly run: () => void
  /** It is idempotent and can be done later: the past notifications offer it as well. */
  readonly isLasting?: true
}

/** One toast, shown or waiting, with how often it was called for. */
export type ToastEntry = {
  readonly id: string
  /** Its name for the library, new each time, so that a toast can come back while the old one is still fading. */
  readonly toastId: string
  readonly kind: ToastKind
  readonly text: string
  readonly detail?: string
  readonly action?: ToastAction
  readonly decline?: string
  readonly times: number
  readonly isDismissed: boolean
}

type ToastRequest = {
  readonly id?: string
  readonly detail?: string
  readonly action?: ToastAction
  readonly decline?: string
}

/** The toasts that are shown or waiting. Keeps duplicates together, which the library does only for shown ones. */
export function createToastEntries() {
  let entries: ReadonlyMap<string, ToastEntry> = new Map()
  let made = 0
  const listeners = new Set<() => void>()

  function change(next: ReadonlyMap<string, ToastEntry>) {
    entries = next
    for (const listener of listeners) listener()
  }

  function put(entry: ToastEntry) {
    change(new Map(entries).set(entry.id, entry))
  }

  return {
    /** Finds the toast these words belong to, counting the repetition, or makes a new one. */
    join(kind: ToastKind, text: string, wish: ToastRequest): { entry: ToastEntry; isNew: boolean } {
      const id = wish.id ?? `${kind}:${text}`
      const before = entries.get(id)
      const isRepeated = before?.text === text && before.kind === kind
      made += before ? 0 : 1
      const entry: ToastEntry = {
        id,
        toastId: before?.toastId ?? `toast-${made}`,
        kind,
        text,
        ...(wish.detail !== undefined && { detail: wish.detail }),
        ...(wish.action && { action: wish.action }),
        ...(wish.decline !== undefined && { decline: wish.decline }),
        times: isRepeated ? before.times + 1 : 1,
        isDismissed: false,
      }
      put(entry)
      return { entry, isNew: before === undefined }
    },
    get: (id: string) => entries.get(id),
    /** Marks a toast that shall go, or not come when its turn comes. */
    dismiss(id: string) {
      const entry = entries.get(id)
      if (entry) put({ ...entry, isDismissed: true })
      return entry
    },
    /** Drops a toast that is gone, unless another one has taken its id since. */
    forget(gone: ToastEntry) {
      const last = entries.get(gone.id)
      if (last?.toastId !== gone.toastId) return
      const rest = new Map(entries)
      rest.delete(gone.id)
      change(rest)
    },
    clear: () => change(new Map()),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The list of toasts that are shown or waiting. */
export type ToastEntries = ReturnType<typeof createToastEntries>

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

/** What a notification can offer besides its words. */
export type NotifyOptions = {
  /** Same id, same toast: a second call joins the first. Without one, same kind and same words are the same toast. */
  readonly id?: string
  /** A second, quieter line. */
  readonly detail?: string
  /** One thing to do about it, for instance undo. A toast with an action stays until it is answered, unless it is brief. */
  readonly action?: ToastAction
  /** Closes by itself though it has an action. */
  readonly isBrief?: true
  /** The words of a second button that only closes it, such as “Not now”. */
  readonly decline?: string
  /** Whether it stays until it is closed, though it is no error and there is nothing to do: it tells more than a glance takes in. */
  readonly stays?: true
}

/** A toast that was called for: a new one, or words for one that is there. */
export type ToastCall = { readonly entry: ToastEntry; readonly isNew: boolean; readonly options: NotifyOptions }
