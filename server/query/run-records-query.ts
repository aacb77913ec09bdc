import type { RawBuilder } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import {
  type Aggregate,
  type CheckedGroupQuery,
  type RecordGroup,
  groupKeyOf,
  meanOf,
  roundAggregate,
} from '#domain/query/group.ts'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import { type CheckedRecordsQuery, cursorAfter } from '#domain/query/records-query.ts'
import type { CheckedFilter } from '#domain/query/checked-filter.ts'
import { UNFILTERED } from '#domain/query/check-filter.ts'
import { heldByIndex, isWalkedById, wantedIndex } from '#domain/query/wanted-index.ts'
import type { CollectionRow } from '#server/database/database.ts'
import { noted } from './asked.ts'
import { compileGroupCount, compileGroups, figureNames } from './compile-group.ts'
import { compileNearPage, compilePage, compileScannedPage, mostRows, nearWindows } from './compile-page.ts'
import { compileCount } from './compile-records-query.ts'
import { keyIn } from './key-in.ts'
import { settingFor } from './plan-search.ts'
import type { QueryScope } from './query-scope.ts'

import { walkNames } from './walk-names.ts'

export { keyIn } from './key-in.ts'
export type { QueryScope } from './query-scope.ts'

/** A page of rows: the columns of what was asked for, with its sort key. */
export type RowPage = {
  readonly rows: readonly CollectionRow[]
  readonly hasMore: boolean
  /** Where the next page begins; null on the last. */
  readonly nextCursor: string | null
}

/** The page a query asks for, with the values of these fields; of all, if nothing else is said. */
export async function selectPage(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  fields: readonly Field[] = query.collection.fields,
): Promise<RowPage> {
  const found = await noted(scope, { query }, () => findPage(scope, query, fields))
  const hasMore = found.length > query.page.limit
  const kept = found.slice(0, query.page.limit)
  const last = kept.at(-1)
  const nextCursor = hasMore && last ? cursorAfter(query, kept.length, keyIn(last, query.sort)) : null
  return { rows: kept, hasMore, nextCursor }
}

async function findPage(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  fields: readonly Field[],
): Promise<readonly CollectionRow[]> {
  const setting = await settingFor(scope, query, 'page')
  const named = setting.search ? undefined : await walkNames(scope, query, setting, fields)
  if (named) return named
  const held = setting.search ? undefined : heldOnTheWay(scope, query)
  const isById = held === undefined && isFoundNear(scope, query)
  const windows = isById ? nearWindows(query).slice(0, 1) : nearWindows(query)
  for (const [at, within] of held || isById ? windows.entries() : []) {
    const near = compileNearPage(query, setting, { held: held ?? UNFILTERED, within, fields })
    const rows = await run(at === 0 ? briefly(scope, query) : scope, near)
    if (rows.length > query.page.limit) return rows
  }
  if (held) return run(scope, compileScannedPage(query, setting, fields))
  const isBrief = !setting.search && isEveryRecord(scope, query)
  return run(isBrief ? briefly(scope, query) : scope, compilePage(query, setting, fields))
}

/** More rows than this are not read briefly; under a condition ten times as many are looked at. */
const MOST_BRIEF_ROWS = 200

const briefly = (scope: QueryScope, query: CheckedRecordsQuery): QueryScope =>
  mostRows(query) <= MOST_BRIEF_ROWS && scope.briefReader ? { ...scope, reader: scope.briefReader } : scope

/** Whether every record is in a list, in the order of ids or in one that an index holds: as many are looked at as are read. */
function isEveryRecord({ pendingImports, isIndexed }: QueryScope, query: CheckedRecordsQuery): boolean {
  const { where, sort, collection } = query
  if (where.type !== 'all' || where.of.length > 0 || pendingImports.length > 0) return false
  const spec = wantedIndex(query)
  return isWalkedById(query) || (spec?.order.length === sort.length - 1 && isIndexed?.(collection.id, spec) === true)
}

/** Whether a page in the order of ids is looked for among the next few rows first, where that is done briefly. */
const isFoundNear = ({ dialect, briefReader }: QueryScope, query: CheckedRecordsQuery): boolean =>
  dialect === 'sqlite' &&
  briefReader !== undefined &&
  mostRows(query) <= MOST_BRIEF_ROWS &&
  isWalkedById(query) &&
  (query.where.type !== 'all' || query.where.of.length > 0)

/**
 * What the index of the order answers of a filter that asks for more, so that rows have to be looked at; undefined where
 * it answers all, where there is none, and on PostgreSQL, which judges by itself whether to walk an index or to read the
 * table.
 */
export function heldOnTheWay(
  { dialect, isIndexed }: QueryScope,
  query: CheckedRecordsQuery,
): CheckedFilter | undefined {
  const spec = dialect === 'sqlite' && isIndexed ? wantedIndex(query) : null
  if (spec === null || spec.order.length === 0) return undefined
  const { held, isAll } = heldByIndex(query.where, spec)
  return !isAll && isIndexed?.(query.collection.id, spec) ? held : undefined
}

/** How many records a query finds; capped, it stops counting where people stop caring. */
export async function countRecords(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  mode: 'exact' | 'capped',
): Promise<{ readonly total: number; readonly totalIs: 'exact' | 'atLeast' }> {
  const setting = await settingFor(scope, query, 'count')
  const [counted] = await noted(scope, { query }, () => run(scope, compileCount(query, mode, setting)))
  const total = Number(counted?.total ?? 0)
  return mode === 'capped' && total > COUNT_CAP ? { total: COUNT_CAP, totalIs: 'atLeast' } : { total, totalIs: 'exact' }
}

/** The groups of what a query finds, and how many there are in all. */
export async function selectGroups(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
): Promise<{ readonly groups: readonly RecordGroup[]; readonly total: number }> {
  const setting = await settingFor(scope, query, 'groups')
  const rows = await noted(scope, { query, grouping }, () => run(scope, compileGroups(query, grouping, setting)))
  const [first] = rows
  if (first || grouping.offset === 0) {
    return { groups: rows.map((row) => groupIn(row, grouping)), total: Number(first?.['total'] ?? 0) }
  }
  // Behind the last page no row tells the total.
  const [counted] = await run(scope, compileGroupCount(query, grouping, setting))
  return { groups: [], total: Number(counted?.total ?? 0) }
}

const run = async <Row>({ reader }: QueryScope, statement: RawBuilder<Row>): Promise<readonly Row[]> =>
  (await statement.execute(reader)).rows

const groupIn = (row: CollectionRow, { by, parts, aggregates }: CheckedGroupQuery): RecordGroup => ({
  key: groupKeyOf(by, keyIn(row, parts)),
  count: Number(row['size']),
  aggregates: aggregates.map((aggregate, at) => figureIn(row, aggregate, at)),
  offset: Number(row['begins']),
})

/** PostgreSQL answers decimals and large integers as text. */
function figureIn(row: CollectionRow, { type }: Aggregate, at: number): number | null {
  if (type === 'count') return Number(row['size'])
  const names = figureNames(at)
  const figure = row[names.figure]
  if (figure === null || figure === undefined) return null
  if (type === 'min' || type === 'max') return Number(figure)
  const count = Number(row[names.count])
  if (count === 0) return null
  return type === 'sum' ? roundAggregate(Number(figure)) : meanOf(Number(figure), count)
}
