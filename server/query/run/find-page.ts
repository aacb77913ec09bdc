import type { RawBuilder } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { UNFILTERED } from '#domain/query/check/check-filter.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { splitByIndex, isWalkedById, indexForQuery } from '#domain/query/list/index-selection.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import {
  SCANNED_COLUMN,
  compileNearPage,
  compilePage,
  compileScannedPage,
  mostRows,
  nearPageWindows,
} from '#server/query/compile/compile-page.ts'
import { settingFor } from '#server/query/search/plan-search.ts'
import type { QueryScope } from './query-scope.ts'
import type { SqlOptions } from '#server/query/sql/sql-context.ts'
import { findPageByLinkedName } from './page-by-linked-name.ts'

type Rows = readonly CollectionRow[]

/** The rows of a page and one more, by whatever costs least: few rows of an order, an index, a pass over the table. */
export async function findPage(scope: QueryScope, query: CheckedRecordsQuery, fields: readonly Field[]): Promise<Rows> {
  const setting = await settingFor(scope, query, 'page')
  if (setting.search) return run(scope, compilePage(query, setting, fields))
  const named = await findPageByLinkedName(scope, query, setting, fields)
  if (named) return named
  const held = indexedPartOf(scope, query)
  if (held) {
    const near = await findNear(scope, query, { setting, held, windows: nearPageWindows(query), fields })
    return near ?? run(scope, compileScannedPage(query, setting, fields))
  }
  const windows = isFoundNear(scope, query) ? nearPageWindows(query).slice(0, 1) : []
  const near = await findNear(scope, query, { setting, held: UNFILTERED, windows, fields })
  return near ?? run(isEveryRecord(scope, query) ? briefly(scope, query) : scope, compilePage(query, setting, fields))
}

type NearSearch = {
  readonly setting: SqlOptions
  readonly held: CheckedFilter
  readonly windows: readonly number[]
  readonly fields: readonly Field[]
}

/**
 * A page that is full before so many rows of its order were looked at, or the last of its list; undefined where it is
 * neither. Most pages are full at once: only of one that was not is it counted how much there was to look at.
 */
async function findNear(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  { setting, held, windows, fields }: NearSearch,
): Promise<Rows | undefined> {
  for (const [at, within] of windows.entries()) {
    const isCounted = at > 0
    const near = compileNearPage(query, setting, { held, within, fields, isCounted })
    const rows = await run(isCounted ? scope : briefly(scope, query), near)
    const isLast = isCounted && Number(rows[0]?.[SCANNED_COLUMN] ?? within) < within
    if (rows.length > query.page.limit || isLast) return rows
  }
  return undefined
}

/**
 * What the index of the order answers of a filter that asks for more, so that rows have to be looked at; undefined where
 * it answers all, where there is none, and on PostgreSQL, which judges by itself whether to walk an index or to read the
 * table.
 */
export function indexedPartOf(
  { dialect, isIndexed }: QueryScope,
  query: CheckedRecordsQuery,
): CheckedFilter | undefined {
  const spec = dialect === 'sqlite' && isIndexed ? indexForQuery(query) : null
  if (spec === null || spec.order.length === 0) return undefined
  const { held, isAll } = splitByIndex(query.where, spec)
  return !isAll && isIndexed?.(query.collection.id, spec) ? held : undefined
}

/** More rows than this are not read briefly; under a condition ten times as many are looked at. */
const MAX_BRIEF_ROWS = 200

const isBrief = (query: CheckedRecordsQuery): boolean => mostRows(query) <= MAX_BRIEF_ROWS

const briefly = (scope: QueryScope, query: CheckedRecordsQuery): QueryScope =>
  scope.briefReader && isBrief(query) ? { ...scope, reader: scope.briefReader } : scope

/** Whether a page in the order of ids is looked for among the next rows first, where that is done briefly. */
const isFoundNear = ({ dialect, briefReader }: QueryScope, query: CheckedRecordsQuery): boolean =>
  dialect === 'sqlite' && briefReader !== undefined && isBrief(query) && isFiltered(query) && isWalkedById(query)

/** Whether every record is in a list, in the order of ids or in one that an index holds: as many are looked at as are read. */
function isEveryRecord({ pendingImports, isIndexed }: QueryScope, query: CheckedRecordsQuery): boolean {
  if (isFiltered(query) || pendingImports.length > 0) return false
  if (isWalkedById(query)) return true
  const spec = indexForQuery(query)
  // The id ends every order, and every index.
  const isWhole = spec?.order.flatMap(({ takes }) => takes).length === query.sort.length - 1
  return isWhole && isIndexed?.(query.collection.id, spec) === true
}

const isFiltered = ({ where }: CheckedRecordsQuery): boolean => where.type !== 'all' || where.of.length > 0

const run = async ({ reader }: QueryScope, statement: RawBuilder<CollectionRow>): Promise<Rows> =>
  (await statement.execute(reader)).rows
