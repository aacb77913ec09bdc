import { type IndexSpec, indexCovers } from '#domain/query/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { IndexDeps } from './index-deps.ts'
import { loadIndexes, saveIndexUses } from './store.ts'
import type { StoredIndex } from './stored-index.ts'

/** A use is written down when the last one that was is older than this, in ms. */
const USE_NOTED_EVERY_MS = 60 * 60 * 1000

/** The indexes there are, in memory, and when they were last of use. */
export type IndexRegistry = {
  readonly areIn: (collection: CollectionId) => boolean
  /** The index that does all this. */
  readonly serving: (collection: CollectionId, want: IndexSpec) => StoredIndex | undefined
  readonly noteUse: (index: StoredIndex) => void
  readonly learn: () => Promise<void>
  readonly writeUses: () => Promise<void>
}

/** Nothing is known before `learn`. */
export function createIndexRegistry({ database, clock }: Pick<IndexDeps, 'database' | 'clock'>): IndexRegistry {
  let known = new Map<CollectionId, StoredIndex[]>()
  const usedAt = new Map<string, string>()

  return {
    areIn: (collection) => known.has(collection),
    serving: (collection, want) => known.get(collection)?.find(({ spec }) => indexCovers(spec, want)),
    noteUse: (index) => {
      const now = clock()
      const isDue = now.getTime() - Date.parse(index.usedAt) >= USE_NOTED_EVERY_MS
      if (isDue) usedAt.set(index.id, now.toISOString())
    },
    learn: async () => {
      known = Map.groupBy(await loadIndexes(database.read), ({ collection }) => collection)
    },
    writeUses: async () => {
      const uses = new Map(usedAt)
      usedAt.clear()
      if (uses.size > 0) await database.write((transaction) => saveIndexUses(transaction, uses))
    },
  }
}
