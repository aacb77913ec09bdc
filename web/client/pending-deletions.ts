import { useSyncExternalStore } from 'react'
import { TOASTS } from '#domain/specification.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'

/** How a deletion is sent: from a page that is being left, so that it arrives though the page is gone. */
export type DeletionWay = { readonly keepalive?: true }

type Wish = {
  /** What is shown as gone meanwhile. */
  readonly ids: readonly string[]
  /** What is said for as long as it can be called back. */
  readonly said: string
  /** Does it, once nobody can call it back any more. It never fails: what goes wrong is told. */
  readonly commit: (way: DeletionWay) => Promise<void>
  readonly onUndo?: () => void
}

/** Offers the way back; `whenGone` is called once it is offered no more. */
type OfferUndo = (said: string, undo: () => void, whenGone: () => void) => void

let offered = 0

/** The time of a toast stands still while somebody is on it, and so the deletion waits for them. */
const offerInToast: OfferUndo = (said, undo, whenGone) =>
  void notify.info(said, { id: `deletion-${(offered += 1)}`, action: { label: t('Undo'), run: undo }, whenGone })

/** Nothing at all, the same set every time. */
const NONE: ReadonlySet<string> = new Set()

/**
 * Deletions are held back for as long as their undo is offered, and only then sent: what is called back was never
 * gone, so it keeps its id, its history and everything that points at it. A tab that is closed before anybody had the
 * time to undo deletes nothing.
 */
export function createPendingDeletions(offer: OfferUndo = offerInToast) {
  const leaving = new Map<string, number>()
  /** What is held back, with when it was begun. */
  const held = new Map<(way: DeletionWay) => void, number>()
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
    /** What is shown as gone. */
    snapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Shows something as gone, and deletes it when its undo is offered no more. */
    begin({ ids, said, commit, onUndo }: Wish): void {
      const show = () => count(ids, -1)
      const carryOut = (way: DeletionWay) => {
        if (held.delete(carryOut)) void commit(way).finally(show)
      }
      held.set(carryOut, Date.now())
      count(ids, 1)
      const undo = () => {
        if (!held.delete(carryOut)) return
        show()
        onUndo?.()
      }
      offer(said, undo, () => carryOut({}))
    },
    /** The page is left for good: what waits only because its toast was paused is deleted all the same. */
    leave() {
      for (const [carryOut, begun] of held) if (Date.now() - begun >= TOASTS.displayMs) carryOut({ keepalive: true })
    },
  }
}

/** The deletions of this tab. */
export const pendingDeletions = createPendingDeletions()
globalThis.addEventListener?.('pagehide', () => pendingDeletions.leave())

/** What is shown as gone. */
export const useLeaving = (): ReadonlySet<string> =>
  useSyncExternalStore(pendingDeletions.subscribe, pendingDeletions.snapshot)
