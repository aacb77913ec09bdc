import {
  type CollectionRow,
  type CommitSnapshot,
  commitSnapshotColumn,
  type Dialect,
  parseCommitSnapshot,
  type Reader,
} from '#server/platform/database/database.ts'
import type { IsIndexed, RecordQueryTime } from './slow-query-log.ts'
import type { CacheLinkedTargets } from './page-by-linked-name.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CheckedNode } from '#domain/query/checked-filter.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'

import { compileNode } from '#server/query/compile/compile-filter.ts'
import { column, rowAt, rowsOf, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'

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

/** Runs a statement and tells what it saw, in the same moment: also where it finds nothing. */
export async function runWithSnapshot(
  { reader, dialect }: QueryScope,
  statement: RawBuilder<unknown>,
): Promise<{ readonly rows: readonly CollectionRow[]; readonly view: CommitSnapshot }> {
  const { rows } = await sql<CollectionRow>`select moment.seen, found.*
from (select ${commitSnapshotColumn(dialect)} as seen) as moment
left join (select 1 as is_row, read.* from (${statement}) as read) as found on 1 = 1`.execute(reader)
  return { rows: rows.filter((row) => row['is_row'] !== null), view: parseCommitSnapshot(String(rows[0]?.['seen'])) }
}

/** Which of some conditions describe a row, in their order, and which version of it that was asked of. */
export type MatchedConditions = { readonly version: number; readonly holds: readonly boolean[] }

/** Asks which of some conditions describe each of these rows, all in one statement. Rows that are gone are not there. */
export async function selectMatchingConditions(
  { reader, dialect, pendingImports }: QueryScope,
  collection: CollectionId,
  conditions: readonly CheckedNode[],
  ids: readonly RecordId[],
): Promise<Map<RecordId, MatchedConditions>> {
  const place = { dialect, pendingImports, level: 0 }
  const [id, version] = [column(rowAt(0), SYSTEM_COLUMNS.id), column(rowAt(0), SYSTEM_COLUMNS.version)]
  const verdicts = conditions.map(
    (condition, at) => sql`case when ${compileNode(condition, place)} then 1 else 0 end as ${sql.id(nameOf(at))}`,
  )
  const statement: RawBuilder<CollectionRow> = sql`select ${sql.join([id, version, ...verdicts])}
from ${rowsOf(collection, 0)}
where ${id} in (${sql.join([...ids])})`
  const { rows } = await statement.execute(reader)
  return new Map(
    rows.map((row) => [
      String(row['id']),
      { version: Number(row['version']), holds: conditions.map((_, at) => Number(row[nameOf(at)]) === 1) },
    ]),
  )
}

const nameOf = (at: number): string => `h${at}`
