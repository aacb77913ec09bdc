import type { RawBuilder } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { UNFILTERED } from '#domain/query/check/check-filter.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import {
  indexForQuery,
  type IndexSpec,
  isSortedById,
  isWalkedById,
  splitByIndex,
} from '#domain/query/list/index-selection.ts'
import { compareSortKeys, endWithId, isOwnPart } from '#domain/query/list/sort.ts'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { ViewId } from '#domain/views/view.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import {
  SCANNED_COLUMN,
  compileNearPage,
  compilePage,
  compileScannedPage,
  maxRows,
  nearPageWindows,
  skipOf,
} from '#server/query/compile/compile-page.ts'
import { compileCount } from '#server/query/compile/compile-conditions.ts'
import { keyIn } from '#server/query/compile/compile-sort.ts'
import { settingFor } from '#server/query/search/plan-search.ts'
import type { QueryScope } from './query-scope.ts'
import { isLongText, isShorterThanPrefix } from '#server/query/sql/leaf-columns.ts'
import type { SqlOptions } from '#server/query/sql/sql-context.ts'
import { findPageByLinkedName } from './page-by-linked-name.ts'

type Rows = readonly CollectionRow[]

/**
 * Reads the rows of a page and one extra, with the cheapest strategy: a few rows in sort order, an index, or a full
 * scan.
 */
export async function findPage(scope: QueryScope, query: CheckedRecordsQuery, fields: readonly Field[]): Promise<Rows> {
  const [first] = query.sort
  if (first?.view !== undefined && isMergeable(query)) return findInManualOrder(scope, query, first.view, fields)
  const setting = await settingFor(scope, query, 'page')
  if (setting.search) return run(scope, compilePage(query, setting, fields))
  const named = await findPageByLinkedName(scope, query, setting, fields)
  if (named) return named
  const inRange = await findInRange(scope, query, setting, fields)
  if (inRange) return inRange
  const held = indexedPartOf(scope, query)
  if (held) {
    const near = await findNear(scope, query, { setting, held, windows: nearPageWindows(query), fields })
    return near ?? run(scope, compileScannedPage(query, setting, fields))
  }
  const found = await findByPrefix(scope, query, setting, fields)
  if (found) return found
  const windows = isFoundNear(scope, query) ? nearPageWindows(query).slice(0, 1) : []
  const near = await findNear(scope, query, { setting, held: UNFILTERED, windows, fields })
  return near ?? run(isEveryRecord(scope, query) ? briefly(scope, query) : scope, compilePage(query, setting, fields))
}

/**
 * On PostgreSQL, reads a list that is sorted by a text in the order of an index, which contains prefixes. This is the order of
 * the texts if those on the page are shorter than a prefix: longer ones with the same prefix would be on the page as well.
 */
async function findByPrefix(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  fields: readonly Field[],
): Promise<Rows | undefined> {
  const { sort, page, collection } = query
  if (scope.dialect === 'sqlite' || !sort.every(isOwnPart) || !sort.some(({ leaf }) => isLongText(leaf)))
    return undefined
  const spec = indexForQuery(query)
  if (spec === null || !scope.isIndexed?.(collection.id, spec)) return undefined
  const isOrdered = (key: readonly KeyValue[]): boolean =>
    sort.every(({ leaf }, at) => !isLongText(leaf) || isShorterThanPrefix(String(key[at] ?? '')))
  if (page.after !== null && !isOrdered(page.after)) return undefined
  const rows = await run(scope, compilePage(query, { ...setting, isByPrefix: true }, fields))
  return rows.every((row) => isOrdered(keyIn(row, sort))) ? rows : undefined
}

/** With a search or far from the start, sorting the whole list is simpler. */
const isMergeable = (query: CheckedRecordsQuery): boolean =>
  query.search.terms.length === 0 && skipOf(query) <= MAX_MERGED_OFFSET

const MAX_MERGED_OFFSET = 1000

/**
 * Merges the records of a page that were moved with those in ID order, so that a few moved records don't cause a large
 * list to be sorted. Moved records are read last: a record that is moved in between is then found twice, not missed.
 */
async function findInManualOrder(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  view: ViewId,
  fields: readonly Field[],
): Promise<Rows> {
  const skip = skipOf(query)
  const page = { ...query.page, ordinal: 0, skip: 0, limit: query.page.limit + skip }
  const others = { ...scope, moved: { view, are: 'excluded' } } as const
  const inIdOrder = await findPage(others, { ...query, page, sort: endWithId([]) }, fields)
  const setting = { ...(await settingFor(scope, query, 'page')), moved: { view, are: 'included' } } as const
  const moved = await run(scope, compilePage({ ...query, page }, setting, fields))
  const found = new Map([...inIdOrder, ...moved].map((row) => [row['id'], row]))
  const keyed = [...found.values()].map((row) => ({ row, key: keyIn(row, query.sort) }))
  const sorted = keyed.toSorted((left, right) => compareSortKeys(query.sort, left.key, right.key))
  return sorted.slice(skip, skip + query.page.limit + 1).map(({ row }) => row)
}

type NearSearch = {
  readonly setting: SqlOptions
  readonly held: CheckedFilter
  readonly windows: readonly number[]
  readonly fields: readonly Field[]
}

/** Returns a page if it was filled within the row limit or is the last page of its list; otherwise undefined. */
async function findNear(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  { setting, held, windows, fields }: NearSearch,
): Promise<Rows | undefined> {
  for (const [at, within] of windows.entries()) {
    const isCounted = at > 0 && scope.dialect === 'sqlite'
    const near = compileNearPage(query, setting, { held, within, fields, isCounted })
    const rows = await run(isCounted ? scope : briefly(scope, query), near)
    const isLast = isCounted && Number(rows[0]?.[SCANNED_COLUMN] ?? within) < within
    if (rows.length > query.page.limit || isLast) return rows
  }
  return undefined
}

/** The conditions that an index in sort order holds, if others need its records. */
export function indexedPartOf(
  { dialect, isIndexed }: QueryScope,
  query: CheckedRecordsQuery,
): CheckedFilter | undefined {
  const spec = dialect === 'sqlite' && isIndexed ? indexForQuery(query) : null
  if (spec === null || spec.order.length === 0 || !query.sort.every(isOwnPart)) return undefined
  if (isIndexed?.(query.collection.id, spec) !== true) return undefined
  const { held, others } = splitByIndex(query.where, spec)
  return others !== null && isIndexed(query.collection.id, spec, others) ? undefined : held
}

/** Sorts the records of a range if they are few, or if none are found in the order of the list without checking many. */
async function findInRange(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  fields: readonly Field[],
): Promise<Rows | undefined> {
  const range = rangeOf(scope, query)
  if (!range) return undefined
  const sorted = () => run(scope, compileScannedPage(query, setting, fields))
  if (await areFew(scope, query, setting, range)) return sorted()
  if (!isSortedById(query)) return undefined
  const windows = nearPageWindows(query, MAX_WALKED_BEFORE_SORT)
  return (await findNear(scope, query, { setting, held: UNFILTERED, windows, fields })) ?? sorted()
}

/** If these records don't fill a page, sorting the matches takes about as long, because the index contains their fields. */
const MAX_WALKED_BEFORE_SORT = 5_000

/**
 * The range of an index that doesn't have the sort order. Databases prefer to walk the list until a page is full: SQLite
 * doesn't see the limits of the range, and PostgreSQL expects the matches all over the list, although those of a date
 * are often at its end.
 */
function rangeOf({ isIndexed }: QueryScope, query: CheckedRecordsQuery): IndexSpec | undefined {
  const spec = isIndexed ? indexForQuery(query) : null
  if (!query.sort.every(isOwnPart) || !spec?.range || spec.order.length > 0) return undefined
  return isIndexed?.(query.collection.id, spec) ? spec : undefined
}

/** Whether sorting the matches is always faster than a walk, because their index contains what the filter checks. */
async function areFew(
  { reader }: QueryScope,
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  spec: IndexSpec,
): Promise<boolean> {
  const { held } = splitByIndex(query.where, spec)
  const [counted] = (await compileCount({ ...query, where: held }, 'capped', setting).execute(reader)).rows
  return Number(counted?.total) <= COUNT_CAP
}

/** Maximum number of rows in a short read; with a filter, up to ten times as many rows are checked. */
const MAX_BRIEF_ROWS = 200

const isBrief = (query: CheckedRecordsQuery): boolean => maxRows(query) <= MAX_BRIEF_ROWS

const briefly = (scope: QueryScope, query: CheckedRecordsQuery): QueryScope =>
  scope.briefReader && isBrief(query) ? { ...scope, reader: scope.briefReader } : scope

const isFoundNear = ({ dialect, briefReader, isPast }: QueryScope, query: CheckedRecordsQuery): boolean =>
  dialect === 'sqlite' &&
  isPast !== true &&
  briefReader !== undefined &&
  isBrief(query) &&
  isFiltered(query) &&
  isWalkedById(query)

function isEveryRecord({ pendingImports, isIndexed }: QueryScope, query: CheckedRecordsQuery): boolean {
  if (isFiltered(query) || pendingImports.length > 0) return false
  if (isWalkedById(query)) return true
  const spec = indexForQuery(query)
  // Every sort order and every index ends with the ID.
  const isWhole = spec?.order.flatMap(({ takes }) => takes).length === query.sort.length - 1
  return isWhole && isIndexed?.(query.collection.id, spec) === true
}

const isFiltered = ({ where }: CheckedRecordsQuery): boolean => where.type !== 'all' || where.of.length > 0

const run = async ({ reader }: QueryScope, statement: RawBuilder<CollectionRow>): Promise<Rows> =>
  (await statement.execute(reader)).rows
