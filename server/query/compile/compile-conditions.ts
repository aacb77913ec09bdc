import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { compileFilter, compileNode } from './compile-filter.ts'
import { compileHitsCount } from './compile-search-hits.ts'
import {
  allOf,
  type Condition,
  movedOnly,
  movedRows,
  rowsOf,
  type SqlContext,
  type SqlOptions,
  withoutPending,
} from '#server/query/sql/sql-context.ts'
import type { CheckedSearch } from '#domain/query/list/search.ts'

/**
 * Compiles a search to conditions: each term must occur in a searched field. With a search plan, returns only the
 * conditions that the plan leaves to check.
 */
function compileSearch({ terms, where }: CheckedSearch, place: SqlContext): readonly Condition[] {
  if (place.search) return place.search.conditions
  return terms.length === 0 ? [] : [compileNode(where, place)]
}

export const listRows = ({ collection }: CheckedRecordsQuery, { search, moved }: SqlOptions): RawBuilder<unknown> =>
  search?.from ?? (moved?.are === 'included' ? movedRows(collection.id) : rowsOf(collection.id, 0))

/** The number of rows; counting stops at one above the cap. */
export function compileCount(
  query: CheckedRecordsQuery,
  mode: 'exact' | 'capped',
  setting: SqlOptions,
): RawBuilder<{ readonly total: unknown }> {
  const place = { ...setting, level: 0 }
  const { hits, counted } = setting.search ?? {}
  if (hits) {
    const conditions = conditionListOf(query, place)
    return compileHitsCount(query, { hits, conditions, counted }, mode === 'exact' ? null : COUNT_CAP + 1)
  }
  const rows = sql`from ${listRows(query, setting)} where ${conditionsOf(query, place)}`
  if (mode === 'exact') return sql`select count(*) as total ${rows}`
  return sql`select count(*) as total from (select 1 as one ${rows} limit ${sql.lit(COUNT_CAP + 1)}) as counted`
}

export const conditionsOf = (query: CheckedRecordsQuery, place: SqlContext): Condition =>
  allOf(conditionListOf(query, place))

export function conditionListOf(
  { where, search }: Pick<CheckedRecordsQuery, 'where' | 'search'>,
  place: SqlContext,
): readonly Condition[] {
  const isFiltered = where.type !== 'all' || where.of.length > 0
  const filter = isFiltered ? [compileFilter(where, place)] : []
  return [...filter, ...compileSearch(search, place), ...withoutPending(place), ...movedOnly(place)]
}
