import type { ToastEntry } from './toast-entries.ts'

/** What a notification can offer besides its words. */
export type NotifyOptions = {
  /** Same id, same toast: a second call joins the first. Without one, same kind and same words are the same toast. */
  readonly id?: string
  /** A second, quieter line. */
  readonly detail?: string
  /** One thing to do about it, for instance undo. A toast with an action stays until it is answered, or as `whenGone` says. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Whether it stays until it is closed, though it is no error and there is nothing to do: it tells more than a glance takes in. */
  readonly stays?: true
  /**
   * What happens once it is gone, closed or after its time. With it an action has a time as well, which stands still
   * while somebody is on the toast.
   */
  readonly whenGone?: () => void
}

/** A toast that was called for: a new one, or words for one that is there. */
export type CalledToast = { readonly entry: ToastEntry; readonly isNew: boolean; readonly options: NotifyOptions }
