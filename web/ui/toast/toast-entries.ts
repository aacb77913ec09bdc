/** What a toast is about. */
export type ToastKind = 'success' | 'error' | 'info' | 'warning'

/** What can be done about a toast. */
export type ToastAction = {
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
