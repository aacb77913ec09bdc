import { sessionState } from '#web/data/session/session-state.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { createStore, type ReadableStore } from '#web/ui/store.ts'
import type { EditsSnapshot } from './store/cell-edits.ts'
import type { CellActions } from './cell-actions.ts'
import type { ListContext } from './cell-context.ts'

/** Preloaded while the page is idle. */
export const cellActions = lazyModule(() => import('./cell-actions.ts'))

/** Edits in a collection's list. They are kept after the list is closed, so that they can still be undone. */
export type ListEdits = {
  /** Empty until the editing code is loaded. */
  readonly shown: ReadableStore<EditsSnapshot>
  /** Whether edited records may no longer match the filter or sort order. */
  readonly isOutdated: ReadableStore<boolean>
  readonly setWorld: (world: ListContext) => void
  readonly gridActions: () => CellActions | undefined
  /** Runs when the editing code is loaded. */
  readonly withGridActions: (work: (gridActions: CellActions) => void) => void
}

/** Keyed by collection and user, so that users of the same tab never share edits. */
const lists = new Map<string, ListEdits>()

export function listEdits(collectionId: string): ListEdits {
  const key = `${sessionState.get().user?.id} ${collectionId}`
  const known = lists.get(key)
  if (known) return known
  const made = createListEdits()
  lists.set(key, made)
  return made
}

const NO_EDITS: EditsSnapshot = { made: [], over: () => undefined, givenTo: () => undefined }

export const NO_LIST_EDITS: ReadableStore<EditsSnapshot> = createStore(NO_EDITS)

function createListEdits(): ListEdits {
  const shown = createStore(NO_EDITS)
  const isOutdated = createStore(false)
  let world: ListContext | undefined
  let made: CellActions | undefined
  const worldNow = (): ListContext => {
    if (!world) throw new Error('A list is edited before it is drawn')
    return world
  }
  const gridActions = (): CellActions | undefined => {
    const part = cellActions.get()
    if (made || !part || !world) return made
    made = part.createCellActions(worldNow)
    const { edits, list } = made
    edits.subscribe(() => shown.set(edits.get()))
    list.isOutdated.subscribe(() => isOutdated.set(list.isOutdated.get()))
    return made
  }
  return {
    shown,
    isOutdated,
    setWorld: (next) => {
      world = next
    },
    gridActions,
    withGridActions: (work) => {
      const now = gridActions()
      if (now) return work(now)
      void cellActions.load().then(() => {
        const there = gridActions()
        if (there) work(there)
      })
    },
  }
}
