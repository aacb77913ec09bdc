import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import type { CollectionRow } from '#server/database/database.ts'
import { compileFilter } from './compile-filter.ts'
import { compileSearch } from './compile-search.ts'
import { afterKey, keyColumns, orderByKeys, selectKeys } from './compile-sort.ts'
import {
  type Condition,
  type SqlPlace,
  type SqlSetting,
  allOf,
  column,
  rowAt,
  rowsOf,
  withoutPending,
} from './sql-place.ts'

const ROW = rowAt(0)

/**
 * One page: first the ids and keys of its rows, in order, from the narrowest scan there is; then their columns. One row
 * more than asked tells whether anything follows. Behind a key it is the key that decides where the page begins, else its
 * ordinal.
 */
export function compilePage(query: CheckedRecordsQuery, setting: SqlSetting): RawBuilder<CollectionRow> {
  const place = { ...setting, level: 0 }
  const { sort, page, collection } = query
  const keyed = sql`
    select ${sql.join([column(ROW, 'id'), ...selectKeys(sort, place)])}
    from ${rowsOf(collection.id, 0)}
    where ${conditionsOf(query, place)}
  `
  const begin =
    page.after === null
      ? sql``
      : sql`
  where ${afterKey(sort, page.after, 'keyed')}`
  const skip = page.after === null ? page.ordinal : page.skip
  const skipped = skip > 0 ? sql` offset ${skip}` : sql``

  return sql`select ${sql.join([sql`${sql.id(ROW)}.*`, ...keyColumns(sort, 'page')])}
from (
  select keyed.*
  from (${keyed}) as keyed${begin}
  order by ${orderByKeys(sort, 'keyed')}
  limit ${page.limit + 1}${skipped}
) as page
join ${rowsOf(collection.id, 0)} on ${column(ROW, 'id')} = page.id
order by ${orderByKeys(sort, 'page')}`
}

/** How many rows there are, at most counting to one above the cap. */
export function compileCount(
  query: CheckedRecordsQuery,
  mode: 'exact' | 'capped',
  setting: SqlSetting,
): RawBuilder<{ readonly total: unknown }> {
  const place = { ...setting, level: 0 }
  const rows = sql`from ${rowsOf(query.collection.id, 0)} where ${conditionsOf(query, place)}`
  if (mode === 'exact') return sql`select count(*) as total ${rows}`
  return sql`select count(*) as total from (select 1 as one ${rows} limit ${sql.lit(COUNT_CAP + 1)}) as counted`
}

/** Everything that decides whether a row is in the list. */
export function conditionsOf({ where, search }: CheckedRecordsQuery, place: SqlPlace): Condition {
  const isFiltered = where.type !== 'all' || where.of.length > 0
  const filter = isFiltered ? [compileFilter(where, place)] : []
  return allOf([...filter, ...compileSearch(search, place), ...withoutPending(place)])
}
