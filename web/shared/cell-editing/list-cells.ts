import { sessionState } from '#web/data/session/session-state.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { EditsSnapshot } from './store/cell-edits.ts'
import type { CellActions } from './cell-actions.ts'
import type { ListContext } from './cell-context.ts'

/** What edits a list: fetched when the list rests, before anybody can need it. */
export const cellActions = lazyModule(() => import('./cell-actions.ts'))

/** The edits of a collection's list, and what makes them; both outlive the list, so that coming back one can undo. */
export type ListEdits = {
  /** What is shown of the edits; nothing before the hands are there. */
  readonly shown: () => EditsSnapshot
  readonly subscribe: (listener: () => void) => () => void
  /** Tells what the list is now. */
  readonly setWorld: (world: ListContext) => void
  /** The hands, once they are there. */
  readonly hands: () => CellActions | undefined
  /** Does something with the hands, as soon as they are there. */
  readonly withHands: (work: (hands: CellActions) => void) => void
}

/** By collection and person: nobody sees or undoes what somebody else did in the same tab. */
const lists = new Map<string, ListEdits>()

/** The edits of one collection's list. */
export function listEdits(collectionId: string): ListEdits {
  const key = `${sessionState.snapshot().user?.id} ${collectionId}`
  const known = lists.get(key)
  if (known) return known
  const made = createListEdits()
  lists.set(key, made)
  return made
}

const NO_EDITS: EditsSnapshot = { made: [], over: () => undefined, givenTo: () => undefined }

function createListEdits(): ListEdits {
  const listeners = new Set<() => void>()
  let world: ListContext | undefined
  let made: CellActions | undefined
  const worldNow = (): ListContext => {
    if (!world) throw new Error('A list is edited before it is drawn')
    return world
  }
  const hands = (): CellActions | undefined => {
    const part = cellActions.current()
    if (made || !part || !world) return made
    made = part.createCellActions(worldNow)
    made.edits.subscribe(() => {
      for (const listener of listeners) listener()
    })
    return made
  }
  return {
    shown: () => made?.edits.snapshot() ?? NO_EDITS,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setWorld: (next) => {
      world = next
    },
    hands,
    withHands: (work) => {
      const now = hands()
      if (now) return work(now)
      void cellActions.load().then(() => {
        const there = hands()
        if (there) work(there)
      })
    },
  }
}
