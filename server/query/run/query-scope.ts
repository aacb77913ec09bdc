import type { Dialect, Reader } from '#server/platform/database/database.ts'
import type { IsIndexed, RecordQueryTime } from './slow-query-log.ts'
import type { CacheLinkedTargets } from './linked-target.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'

/** Where a query is run: from outside or inside a write, and without the rows of imports that may still be undone. */
export type QueryScope = {
  readonly reader: Reader
  /** What reads that look at few rows are run with, if anything else is better for them. */
  readonly briefReader?: Reader
  readonly dialect: Dialect
  /** Ids of all imports on their way, into whatever collection: relations lead there too. */
  readonly pendingImports: readonly string[]
  /** The full-text indexes of each collection; without them a search looks into every record. */
  readonly searchParts?: FullTextIndexes
  /** Up to how many hits in a sample of records a search counts as rare; left out, what measured best, and small collections are read. */
  readonly rareHits?: number
  /** Who learns from what is asked here; nobody, if left out. */
  readonly noteAsked?: RecordQueryTime | undefined
  /** Whether an index does all that one is wanted for; none does, if left out. */
  readonly isIndexed?: IsIndexed | undefined
  /** Who knows the order of names from one page to the next; it is read for every page, if left out. */
  readonly keepThings?: CacheLinkedTargets | undefined
}
