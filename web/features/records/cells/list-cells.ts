import { sessionState } from '#web/client/session-state.ts'
import { later } from '#web/kit/later.ts'
import type { EditsShown } from './cell-edits.ts'
import type { CellHands } from './cell-hands.ts'
import type { ListWorld } from './cell-world.ts'

/** What edits a list: fetched when the list rests, before anybody can need it. */
export const cellHands = later(() => import('./cell-hands.ts'))

/** The edits of a collection's list, and what makes them; both outlive the list, so that coming back one can undo. */
export type ListCells = {
  /** What is shown of the edits; nothing before the hands are there. */
  readonly shown: () => EditsShown
  readonly subscribe: (listener: () => void) => () => void
  /** Tells what the list is now. */
  readonly setWorld: (world: ListWorld) => void
  /** The hands, once they are there. */
  readonly hands: () => CellHands | undefined
  /** Does something with the hands, as soon as they are there. */
  readonly withHands: (work: (hands: CellHands) => void) => void
}

/** By collection and person: nobody sees or undoes what somebody else did in the same tab. */
const lists = new Map<string, ListCells>()

/** The edits of one collection's list. */
export function listCells(collectionId: string): ListCells {
  const key = `${sessionState.snapshot().user?.id} ${collectionId}`
  const known = lists.get(key)
  if (known) return known
  const made = createListCells()
  lists.set(key, made)
  return made
}

const NOTHING: EditsShown = { made: [], over: () => undefined, givenTo: () => undefined }

function createListCells(): ListCells {
  const listeners = new Set<() => void>()
  let world: ListWorld | undefined
  let made: CellHands | undefined
  const worldNow = (): ListWorld => {
    if (!world) throw new Error('A list is edited before it is drawn')
    return world
  }
  const hands = (): CellHands | undefined => {
    const part = cellHands.current()
    if (made || !part || !world) return made
    made = part.createCellHands(worldNow)
    made.edits.subscribe(() => {
      for (const listener of listeners) listener()
    })
    return made
  }
  return {
    shown: () => made?.edits.snapshot() ?? NOTHING,
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
      void cellHands.load().then(() => {
        const there = hands()
        if (there) work(there)
      })
    },
  }
}
