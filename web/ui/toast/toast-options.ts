import type { ToastAction, ToastEntry } from './toast-entries.ts'

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
