import { TOASTS } from '#domain/specification.ts'

/** Records that are about to be deleted, and the way back. */
export type PendingDeletion = { readonly undo: () => void }

type Wish = {
  readonly ids: readonly string[]
  /** Does it, once nobody has called it back. */
  readonly commit: () => Promise<void>
}

/** No record at all, the same set every time. */
const NONE: ReadonlySet<string> = new Set()

/**
 * Deletions are held back for as long as their undo is offered, and only then sent: what is called back was never
 * gone, so it keeps its id, its history and everything that points at it. A tab that is closed meanwhile deletes
 * nothing.
 */
export function createPendingDeletions(delayMs: number = TOASTS.displayMs) {
  const leaving = new Map<string, number>()
  const listeners = new Set<() => void>()
  let snapshot = NONE

  const count = (ids: readonly string[], by: number) => {
    for (const id of ids) {
      const times = (leaving.get(id) ?? 0) + by
      if (times > 0) leaving.set(id, times)
      else leaving.delete(id)
    }
    snapshot = leaving.size === 0 ? NONE : new Set(leaving.keys())
    for (const listener of listeners) listener()
  }

  return {
    /** The records that are shown as gone. */
    snapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Shows records as gone and deletes them a little later, unless it is undone. */
    begin({ ids, commit }: Wish): PendingDeletion {
      let isOver = false
      const show = () => {
        if (!isOver) count(ids, -1)
        isOver = true
      }
      const timer = setTimeout(() => void commit().finally(show), delayMs)
      count(ids, 1)
      return {
        undo: () => {
          clearTimeout(timer)
          show()
        },
      }
    },
  }
}

/** The deletions of this tab. */
export const pendingDeletions = createPendingDeletions()
