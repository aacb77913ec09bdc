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

/** Hits of a search, and what is left to look at in each of their rows. */
type HitsToRead = {
  readonly hits: Hits
  readonly setting: SqlOptions
  readonly conditions: readonly Condition[]
}

/** The rows of hits under the name of the list's own row. */
const rowsOfHits = ({ collection }: CheckedRecordsQuery): RawBuilder<unknown> =>
  sql`${rowsOf(collection.id, 0)} on ${column(rowAt(0), SEQ_COLUMN)} = hits.at`

/** A page in the order of ids, walked along the hits of a search in their order; on SQLite. */
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
  // SQLite leaves out the order of what is only a part of a join, unless that is limited.
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

/** The number of the record with an id or, when it is gone, of its neighbour: whatever stands behind it stands behind both. */
function numberOf(id: string, isDescending: boolean, { collection }: CheckedRecordsQuery): RawBuilder<unknown> {
  const table = sql.table(tableOf(collection.id))
  return isDescending
    ? sql`coalesce((select n.seq from ${table} as n where n.id >= ${id} order by n.id limit 1), 9223372036854775807)`
    : sql`coalesce((select n.seq from ${table} as n where n.id <= ${id} order by n.id desc limit 1), 0)`
}

/**
 * Whether a hit passes a condition of one value of its own, found out in the index of that value. The number is asked for
 * as a stretch, since SQLite would go to the row itself for a number alone.
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

/** How many hits of a search pass everything else, counting to a limit if one is given; on SQLite. */
export function compileHitsCount(
  query: CheckedRecordsQuery,
  { hits, conditions, counted }: Pick<HitsToRead, 'hits' | 'conditions'> & Pick<SearchPlan, 'counted'>,
  limit: number | null,
): RawBuilder<{ readonly total: unknown }> {
  const most = limit === null ? sql`` : sql` limit ${sql.lit(limit)}`
  const found = distinctHits(hits)
  if (conditions.length === 0) return sql`select count(*) as total from (${found}${most}) as counted`
  if (counted)
    return sql`select count(*) as total from (select 1 from (${found}) as hits where ${allOf(counted)}${most}) as counted`
  return sql`select count(*) as total from (
  select 1 from (${found}) as hits cross join ${rowsOfHits(query)} where ${allOf(conditions)}${most}
) as counted`
}
