import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { LinkedNameOrder } from '#domain/query/list/sort.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import {
  type CollectionRow,
  type CommitSnapshot,
  commitSnapshotColumn,
  type Dialect,
  parseCommitSnapshot,
  type Reader,
} from '#server/platform/database/database.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'
import type { MovedRecords } from '#server/query/sql/sql-context.ts'
import type { IsIndexed, RecordQueryTime } from './slow-query-log.ts'

export type LinkedTarget = {
  readonly key: readonly KeyValue[]
  readonly ids: readonly string[]
  readonly isEmpty: boolean
}

export type LinkedTargets = readonly LinkedTarget[] | null

export type LinkedTargetsQuery = { readonly collection: Collection; readonly order: LinkedNameOrder }

export type LinkedTargetsSnapshot = { readonly value: LinkedTargets; readonly view: CommitSnapshot }

export type CacheLinkedTargets = (
  requested: LinkedTargetsQuery,
  read: () => Promise<LinkedTargetsSnapshot>,
) => Promise<LinkedTargets | undefined>

/** Whether a query runs on a read connection or inside a write. Rows of unfinished imports are excluded. */
export type QueryScope = {
  readonly reader: Reader
  readonly briefReader?: Reader
  readonly dialect: Dialect
  /** IDs of the running imports of all collections, because relations can lead to their rows. */
  readonly pendingImports: readonly string[]
  /** Each collection's full-text indexes; without them, a search scans every record. */
  readonly searchParts?: FullTextIndexes | undefined
  readonly rareHits?: number
  /** Whether `reader` reads an earlier time. */
  readonly isPast?: boolean | undefined
  readonly moved?: MovedRecords | undefined
  readonly recordQueryTime?: RecordQueryTime | undefined
  readonly isIndexed?: IsIndexed | undefined
  readonly keepThings?: CacheLinkedTargets | undefined
}

/** Runs a statement and returns its rows with their commit snapshot, even if there are no rows. */
export async function runWithSnapshot(
  { reader, dialect }: QueryScope,
  statement: RawBuilder<unknown>,
): Promise<{ readonly rows: readonly CollectionRow[]; readonly view: CommitSnapshot }> {
  const { rows } = await sql<CollectionRow>`select moment.seen, found.*
from (select ${commitSnapshotColumn(dialect)} as seen) as moment
left join (select 1 as is_row, read.* from (${statement}) as read) as found on 1 = 1`.execute(reader)
  return { rows: rows.filter((row) => row['is_row'] !== null), view: parseCommitSnapshot(String(rows[0]?.['seen'])) }
}
