import type { Dialect, Reader } from '#server/platform/database/database.ts'
import type { IsIndexed, RecordQueryTime } from './slow-query-log.ts'
import type { CacheLinkedTargets } from './linked-target.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'

/** Where a query runs: on readers or inside a write, without rows of unfinished imports. */
export type QueryScope = {
  readonly reader: Reader
  readonly briefReader?: Reader
  readonly dialect: Dialect
  /** IDs of all running imports, into any collection: relations can lead there. */
  readonly pendingImports: readonly string[]
  /** The full-text indexes of each collection; without them a search scans every record. */
  readonly searchParts?: FullTextIndexes
  readonly rareHits?: number
  readonly noteAsked?: RecordQueryTime | undefined
  readonly isIndexed?: IsIndexed | undefined
  readonly keepThings?: CacheLinkedTargets | undefined
}
