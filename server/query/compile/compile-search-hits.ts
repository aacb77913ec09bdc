import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import type { CheckedNode } from '#domain/query/check/checked-filter.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { compileNode } from './compile-filter.ts'
import { selectKeys } from './compile-sort.ts'
import { distinctHits, orderedHits } from '#server/query/search/search-hits.ts'
import type { Hits, SearchPlan } from '#server/query/search/search-plan.ts'
import {
  allOf,
  column,
  type Condition,
  recordColumns,
  rowAt,
  rowsOf,
  SEQ_COLUMN,
  type SqlOptions,
  tableOf,
} from '#server/query/sql/sql-context.ts'

type HitsToRead = {
  readonly hits: Hits
  readonly setting: SqlOptions
  readonly conditions: readonly Condition[]
}

const rowsOfHits = ({ collection }: CheckedRecordsQuery): RawBuilder<unknown> =>
  sql`${rowsOf(collection.id, 0)} on ${column(rowAt(0), SEQ_COLUMN)} = hits.at`

/** On SQLite, reads a page in ID order by scanning the search hits. */
export function compileHitsPage(
  query: CheckedRecordsQuery,
  { hits, setting, conditions }: HitsToRead,
  fields: readonly Field[],
): RawBuilder<CollectionRow> {
  const { sort, page } = query
  const isDescending = sort[0]?.isDescending === true
  const behind = page.after === null ? null : numberOf(String(page.after[0]), isDescending, query)
  const skip = page.after === null ? page.ordinal : page.skip
  const part = sql`limit ${page.limit + 1}${skip > 0 ? sql` offset ${skip}` : sql``}`

  const found = orderedHits(hits, isDescending, behind)
  // SQLite ignores the order of a subquery in a join unless the subquery has a limit.
  const inOrder = sql`${found} limit -1`
  const passing =
    conditions.length === 0
      ? sql`${found} ${part}`
      : sql`select hits.at from (${inOrder}) as hits cross join ${rowsOfHits(query)} where ${allOf(conditions)} ${part}`
  const columns = [...recordColumns(fields, setting.dialect), ...selectKeys(sort, { ...setting, level: 0 })]
  return sql`select ${sql.join(columns)}
from (${passing}) as hits
cross join ${rowsOfHits(query)}
order by hits.at ${sql.raw(isDescending ? 'desc' : 'asc')}`
}

/** The row number of an ID or, if the record was deleted, of its neighbor, which is followed by the same rows. */
function numberOf(id: string, isDescending: boolean, { collection }: CheckedRecordsQuery): RawBuilder<unknown> {
  const table = sql.table(tableOf(collection.id))
  return isDescending
    ? sql`coalesce((select n.seq from ${table} as n where n.id >= ${id} order by n.id limit 1), 9223372036854775807)`
    : sql`coalesce((select n.seq from ${table} as n where n.id <= ${id} order by n.id desc limit 1), 0)`
}

/**
 * Whether a hit matches a single-value condition, using only the value's index. The row number is compared as a range,
 * because SQLite would read the row for an equality test.
 */
export function compileIndexedCondition(node: CheckedNode, collection: CollectionId, setting: SqlOptions): Condition {
  const there = { ...setting, level: 1 }
  const isNegated = node.type === 'compare' && node.isNegated
  const holds = compileNode(node.type === 'compare' ? { ...node, isNegated: false } : node, there)
  const exists = sql<SqlBool>`exists (
    select 1 from ${rowsOf(collection, 1)} where ${holds} and ${column(rowAt(1), SEQ_COLUMN)} between hits.at and hits.at
  )`
  return isNegated ? sql`not ${exists}` : exists
}

export function compileHitsCount(
  query: CheckedRecordsQuery,
  { hits, conditions, counted }: Pick<HitsToRead, 'hits' | 'conditions'> & Pick<SearchPlan, 'counted'>,
  limit: number | null,
): RawBuilder<{ readonly total: unknown }> {
  const max = limit === null ? sql`` : sql` limit ${sql.lit(limit)}`
  const found = distinctHits(hits)
  if (conditions.length === 0) return sql`select count(*) as total from (${found}${max}) as counted`
  if (counted)
    return sql`select count(*) as total from (select 1 from (${found}) as hits where ${allOf(counted)}${max}) as counted`
  return sql`select count(*) as total from (
  select 1 from (${found}) as hits cross join ${rowsOfHits(query)} where ${allOf(conditions)}${max}
) as counted`
}
