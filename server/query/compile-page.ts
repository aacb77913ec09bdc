import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import type { CheckedNode } from '#domain/query/checked-filter.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { isOwnPart } from '#domain/query/sort.ts'
import { fixedFields } from '#domain/query/wanted-index.ts'
import type { CollectionRow } from '#server/database/database.ts'
import { columnsToRead } from './column-of.ts'
import { type Run, chain, firstPlace, ofFirstRow, orderOf, rowKey, runsOf, sectionsBehind } from './compile-order.ts'
import { compileHitsPage } from './compile-hits.ts'
import { conditionListOf, conditionsOf } from './compile-records-query.ts'
import { afterKey, keyColumns, orderByKeys, selectKeys } from './compile-sort.ts'
import { listRows } from './compile-search.ts'
import { type SqlSetting, allOf, column, rowAt, rowsOf } from './sql-place.ts'

const ROW = rowAt(0)

/**
 * One page: first the keys of its rows, in order, from the narrowest scan there is; then the columns of those few rows.
 * One row more than asked tells whether anything follows. Behind a key it is the key that decides where the page begins,
 * else its ordinal.
 */
export function compilePage(
  query: CheckedRecordsQuery,
  setting: SqlSetting,
  fields: readonly Field[],
): RawBuilder<CollectionRow> {
  const hits = setting.search?.hits
  if (hits) {
    const conditions = conditionListOf(query, firstPlace(setting))
    return compileHitsPage(query, { hits, setting, conditions }, fields)
  }
  const columns = columnsToRead(fields).map((name) => column(ROW, name))
  return query.sort.every(isOwnPart) ? pageInOwnOrder(query, setting, columns) : pageByKeys(query, setting, columns)
}

type Columns = readonly RawBuilder<unknown>[]

/** A page in an order that an index can hold. */
function pageInOwnOrder(query: CheckedRecordsQuery, setting: SqlSetting, columns: Columns): RawBuilder<CollectionRow> {
  const place = firstPlace(setting)
  const runs = ownRuns(query, setting)
  return sql`select ${sql.join([...columns, ...selectKeys(query.sort, place)])}
from (
  ${rowsOfPage(query, setting, runs)}
) as page
${joinOnce(setting)} ${rowsOf(query.collection.id, 0)} on ${column(ROW, rowKey(setting))} = page.at
order by ${sql.join(orderOf(runs, setting))}`
}

const ownRuns = ({ sort, collection, where }: CheckedRecordsQuery, setting: SqlSetting): Run[] =>
  runsOf(sort, { setting, names: ofFirstRow, home: collection.id, fixed: fixedFields(where) })

/** SQLite takes tables of a cross join in the order they are written in, so it never begins with the whole table. */
const joinOnce = ({ dialect }: SqlSetting) => sql.raw(dialect === 'sqlite' ? 'cross join' : 'join')

/** The keys of the rows of a page. */
function rowsOfPage(query: CheckedRecordsQuery, setting: SqlSetting, runs: readonly Run[]): RawBuilder<unknown> {
  const { page } = query
  const skip = page.after === null ? page.ordinal : page.skip
  const most = page.limit + 1
  return sql`${listInOrder(query, setting, { runs, most: most + skip, select: column(ROW, rowKey(setting)), as: 'at' })}
  limit ${most}${skip > 0 ? sql` offset ${skip}` : sql``}`
}

/** The list behind the query's key, in order, up to so many rows of it. */
function listInOrder(
  query: CheckedRecordsQuery,
  setting: SqlSetting,
  { runs, most, select, as }: { runs: readonly Run[]; most: number; select: RawBuilder<unknown>; as: string },
): RawBuilder<unknown> {
  const { after } = query.page
  const sections =
    after === null
      ? [{ where: [], order: orderOf(runs, setting) }]
      : sectionsBehind(runs, after, setting, countValues(query) > MOST_VALUES_REPEATED)
  const place = firstPlace(setting)
  const statements = sections.map(
    ({ where, order }) => sql`select ${select} as ${sql.id(as)}
    from ${listRows(query, setting)}
    where ${allOf([...conditionListOf(query, place), ...where])}
    order by ${sql.join(order)}`,
  )
  return chain(statements, most)
}

/** A page in an order whose key is worked out for every row. */
function pageByKeys(query: CheckedRecordsQuery, setting: SqlSetting, columns: Columns): RawBuilder<CollectionRow> {
  const place = firstPlace(setting)
  const { sort, page, collection } = query
  const key = rowKey(setting)
  const skip = page.after === null ? page.ordinal : page.skip
  const begin =
    page.after === null
      ? sql``
      : sql`
  where ${afterKey(sort, page.after, 'keyed')}`
  return sql`select ${sql.join([...columns, ...keyColumns(sort, 'page')])}
from (
  select keyed.*
  from (
    select ${sql.join([sql`${column(ROW, key)} as at`, ...selectKeys(sort, place)])}
    from ${listRows(query, setting)}
    where ${conditionsOf(query, place)}
  ) as keyed${begin}
  order by ${orderByKeys(sort, 'keyed')}
  limit ${page.limit + 1}${skip > 0 ? sql` offset ${skip}` : sql``}
) as page
${joinOnce(setting)} ${rowsOf(collection.id, 0)} on ${column(ROW, key)} = page.at
order by ${orderByKeys(sort, 'page')}`
}

/** Values of a filter that may stand in each section; one with more stands in a statement once, at the cost of an index. */
const MOST_VALUES_REPEATED = 1000

/** About how many values a query binds. */
function countValues({ where, search }: CheckedRecordsQuery): number {
  return valuesIn(where) + valuesIn(search.where)
}

function valuesIn(node: CheckedNode): number {
  if (node.type !== 'compare') return node.of.reduce((sum, part) => sum + valuesIn(part), 0)
  const reached = node.steps.reduce((sum, { visible }) => sum + (visible === null ? 0 : valuesIn(visible)), 0)
  const { test } = node
  if (test.is === 'oneOf') return reached + test.values.length
  return reached + (test.is === 'within' ? test.ranges.length * 6 : 3)
}
