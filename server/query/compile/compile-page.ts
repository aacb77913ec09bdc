import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import {
  type CheckedCondition,
  type CheckedFilter,
  type CheckedNode,
  conditionsIn,
  conditionsOn,
  sourcesOf,
} from '#domain/query/check/checked-filter.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { isOwnPart } from '#domain/query/list/sort.ts'
import { fixedFields, isSortedById } from '#domain/query/list/index-selection.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import {
  type OrderRun,
  chain,
  rootContext,
  ofFirstRow,
  orderOf,
  rowKey,
  runsOf,
  sectionsAfter,
} from './compile-order.ts'
import { compileFilter } from './compile-filter.ts'
import { compileHitsPage } from './compile-search-hits.ts'
import { conditionListOf, conditionsOf, listRows } from './compile-conditions.ts'
import { afterKey, keyColumns, orderByKeys, selectKeys, selectListKeys } from './compile-sort.ts'
import {
  allOf,
  column,
  type ColumnNames,
  type Condition,
  recordColumns,
  rowAt,
  rowsOf,
  type SqlOptions,
} from '#server/query/sql/sql-context.ts'

const ROW = rowAt(0)

/**
 * Reads one page: first the sorted row keys, with the narrowest scan, then the columns of those rows. Reads one extra
 * row to detect whether more follow. The page starts after its key, if any, otherwise at its offset.
 */
export function compilePage(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  fields: readonly Field[],
): RawBuilder<CollectionRow> {
  const hits = setting.search?.hits
  if (hits) {
    const conditions = conditionListOf(query, rootContext(setting))
    return compileHitsPage(query, { hits, setting, conditions }, fields)
  }
  const columns = recordColumns(fields, setting.dialect)
  if (setting.isPast && isSortedById(query)) return pageAtOnce(query, setting, columns)
  return query.sort.every(isOwnPart) ? pageInColumnOrder(query, setting, columns) : pageByKeys(query, setting, columns)
}

type Columns = readonly RawBuilder<unknown>[]

function pageInColumnOrder(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  columns: Columns,
): RawBuilder<CollectionRow> {
  const max = maxRows(query)
  const runs = ownRuns(query, setting)
  return pageOfRows(
    query,
    setting,
    columns,
    listInOrder(query, setting, { runs, max, conditions: conditionListOf(query, rootContext(setting)) }),
  )
}

/** Former tables are unions, and joining them with themselves reads their parts several times. */
function pageAtOnce(query: CheckedRecordsQuery, setting: SqlOptions, columns: Columns): RawBuilder<CollectionRow> {
  const selected = sql.join([...columns, ...selectKeys(query.sort, rootContext(setting))])
  const conditions = conditionListOf(query, rootContext(setting))
  const list = { runs: ownRuns(query, setting), max: maxRows(query), conditions, selected }
  return sql`${listInOrder(query, setting, list)}
  ${limitOf(query)}`
}

/** Every nth sort key of a page; undefined if no index can provide the order. The rows in between are only counted. */
export function compileAnchors(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  every: number,
): RawBuilder<CollectionRow> | undefined {
  if (setting.search?.hits || !query.sort.every(isOwnPart)) return undefined
  const conditions = conditionListOf(query, rootContext(setting))
  const { limit } = query.page
  const rows = listInOrder(query, setting, { runs: ownRuns(query, setting), max: limit, conditions })
  const anchors = sql`select counted.at
  from (
    select stretch.at, row_number() over () as place
    from (${rows} limit ${limit}) as stretch
  ) as counted
  where counted.place % ${sql.lit(every)} = 0`
  return valuesOfRows(query, setting, [], anchors)
}

/**
 * Reads a page by checking only a limited number of rows in sort order, because databases would walk through the whole
 * list for a selective filter. A full page is always correct; a partial page is correct only if there were fewer rows
 * than the limit, which `SCANNED_COLUMN` reports at some cost. On PostgreSQL, only for lists in ID order.
 */
export function compileNearPage(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  { held, within, fields, isCounted }: NearPageOptions,
): RawBuilder<CollectionRow> {
  const runs = ownRuns(query, setting)
  const place = rootContext(setting)
  const order = listInOrder(query, setting, { runs, max: within, conditions: [compileFilter(held, place)] })
  const near = sql`(
    ${order}
    limit ${within}
  ) as near`
  const columns = recordColumns(fields, setting.dialect)
  if (setting.dialect === 'postgres') {
    const isDescending = runs[0]?.isDescending === true
    const [last, until] = isDescending ? [sql`min`, sql`>=`] : [sql`max`, sql`<=`]
    const isNear = sql<SqlBool>`${column(ROW, rowKey(setting))} ${until} (select ${last}(near.at) from ${near})`
    const conditions = [...conditionListOf(query, place), isNear]
    return pageOfRows(query, setting, columns, listInOrder(query, setting, { runs, max: maxRows(query), conditions }))
  }
  const rows = sql`select ${column(ROW, rowKey(setting))} as at
  from ${near}
  cross join ${rowsOf(query.collection.id, 0)} on ${column(ROW, rowKey(setting))} = near.at
  where ${conditionsOf(query, place)}`
  const counted = isCounted ? [sql`(select count(*) from ${near}) as ${sql.id(SCANNED_COLUMN)}`] : []
  return pageOfRows(query, setting, [...columns, ...counted], rows)
}

export const SCANNED_COLUMN = 'looked_at'

export type NearPageOptions = {
  readonly held: CheckedFilter
  readonly within: number
  readonly fields: readonly Field[]
  readonly isCounted: boolean
}

/** Reads the page without an index for the sort order; an index for the filter may be used. */
export function compileScannedPage(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  fields: readonly Field[],
): RawBuilder<CollectionRow> {
  // These expressions are equal to the column and prevent the use of an index for it.
  const runs = ownRuns(query, setting, (name) =>
    setting.dialect === 'sqlite'
      ? sql`+${column(ROW, name)}`
      : sql`coalesce(${column(ROW, name)}, ${column(ROW, name)})`,
  )
  const conditions = conditionListOf(query, rootContext(setting))
  return pageOfRows(
    query,
    setting,
    recordColumns(fields, setting.dialect),
    listInOrder(query, setting, { runs, max: maxRows(query), conditions }),
  )
}

/**
 * Row limits tried before a full scan: first ten times the page size (1–2 ms), then enough to fill a page if one row in
 * 400 matches (about 20 ms).
 */
export function nearPageWindows(query: CheckedRecordsQuery, widest = 20_000): readonly number[] {
  const max = maxRows(query)
  return max > MAX_NEAR_OFFSET ? [] : [10 * max, widest].filter((within) => within > max)
}

/** Beyond this offset, a full sort is faster than checking that many rows. */
const MAX_NEAR_OFFSET = 500_000

function pageOfRows(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  columns: Columns,
  rows: RawBuilder<unknown>,
): RawBuilder<CollectionRow> {
  return valuesOfRows(
    query,
    setting,
    columns,
    sql`${rows}
  ${limitOf(query)}`,
  )
}

function limitOf(query: CheckedRecordsQuery): RawBuilder<unknown> {
  const skip = skipOf(query)
  return sql`limit ${query.page.limit + 1}${skip > 0 ? sql` offset ${skip}` : sql``}`
}

function valuesOfRows(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  columns: Columns,
  rows: RawBuilder<unknown>,
): RawBuilder<CollectionRow> {
  return sql`select ${sql.join([...columns, ...selectKeys(query.sort, rootContext(setting))])}
from (
  ${rows}
) as page
${joinOnce(setting)} ${rowsOf(query.collection.id, 0)} on ${column(ROW, rowKey(setting))} = page.at
order by ${sql.join(orderOf(ownRuns(query, setting), setting))}`
}

export const skipOf = ({ page }: CheckedRecordsQuery): number => (page.after === null ? page.ordinal : page.skip)

export const maxRows = (query: CheckedRecordsQuery): number => query.page.limit + 1 + skipOf(query)

const ownRuns = (
  { sort, collection, where }: CheckedRecordsQuery,
  setting: SqlOptions,
  names: ColumnNames = ofFirstRow,
): OrderRun[] => runsOf(sort, { setting, names, home: collection.id, fixed: fixedFields(where) })

/** SQLite executes a cross join in the order written, which prevents it from scanning the whole table first. */
export const joinOnce = ({ dialect }: SqlOptions) => sql.raw(dialect === 'sqlite' ? 'cross join' : 'join')

function listInOrder(
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  {
    runs,
    max,
    conditions,
    selected = sql`${column(ROW, rowKey(setting))} as at`,
  }: {
    readonly runs: readonly OrderRun[]
    readonly max: number
    readonly conditions: readonly Condition[]
    readonly selected?: RawBuilder<unknown>
  },
): RawBuilder<unknown> {
  const { after } = query.page
  const sections =
    after === null
      ? [{ where: [], order: orderOf(runs, setting) }]
      : sectionsAfter(runs, after, setting, countValues(query) > MAX_REPEATED_VALUES)
  const statements = sections.map(
    ({ where, order }) => sql`select ${selected}
    from ${listRows(query, setting)}
    where ${allOf([...conditions, ...where])}
    order by ${sql.join(order)}`,
  )
  return chain(statements, max)
}

function pageByKeys(query: CheckedRecordsQuery, setting: SqlOptions, columns: Columns): RawBuilder<CollectionRow> {
  const place = rootContext(setting)
  const { sort, page, collection } = query
  const key = rowKey(setting)
  const { keys, joins } = selectListKeys(sort, place)
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
    select ${sql.join([sql`${column(ROW, key)} as at`, ...keys])}
    from ${listRows(query, setting)}${joins}
    where ${conditionsOf(query, place)}
  ) as keyed${begin}
  order by ${orderByKeys(sort, 'keyed')}
  limit ${page.limit + 1}${skip > 0 ? sql` offset ${skip}` : sql``}
) as page
${joinOnce(setting)} ${rowsOf(collection.id, 0)} on ${column(ROW, key)} = page.at
order by ${orderByKeys(sort, 'page')}`
}

/**
 * Maximum number of filter values that are repeated for every range; a filter with more values is applied only once per
 * statement, without an index.
 */
const MAX_REPEATED_VALUES = 1000

export function countValues({ where, search }: CheckedRecordsQuery): number {
  return valuesIn(where) + valuesIn(search.where)
}

function valuesIn(node: CheckedNode): number {
  const conditions = conditionsIn(node)
  const reached = conditions.flatMap(sourcesOf).flatMap(conditionsOn)
  return (
    conditions.reduce((sum, condition) => sum + ownValues(condition), 0) +
    reached.reduce((sum, condition) => sum + valuesIn(condition), 0)
  )
}

function ownValues(condition: CheckedCondition): number {
  if (condition.type === 'pair') return 0
  const { test } = condition
  if (test.is === 'oneOf') return test.values.length
  return test.is === 'within' ? test.ranges.length * 6 : 3
}
