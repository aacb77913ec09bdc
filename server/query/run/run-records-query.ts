import type { RawBuilder } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { type Aggregate, type CheckedGroupQuery, type RecordGroup, groupKeyOf } from '#domain/query/list/group.ts'
import { meanOf, roundAggregate } from '#domain/query/list/aggregates.ts'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import { type CheckedRecordsQuery, cursorAfter } from '#domain/query/list/records-query.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { withQueryTiming } from './slow-query-log.ts'
import { compileGroupCount, compileGroups, aggregateColumns } from '#server/query/compile/compile-group.ts'
import { compileCount } from '#server/query/compile/compile-conditions.ts'
import { findPage } from './find-page.ts'
import { keyIn } from '#server/query/compile/compile-sort.ts'
import { settingFor } from '#server/query/search/plan-search.ts'
import type { QueryScope } from './query-scope.ts'

export { keyIn } from '#server/query/compile/compile-sort.ts'
export type { QueryScope } from './query-scope.ts'

export type RowPage = {
  readonly rows: readonly CollectionRow[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

export async function selectPage(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  fields: readonly Field[] = query.collection.fields,
): Promise<RowPage> {
  const found = await withQueryTiming(scope, { query }, () => findPage(scope, query, fields))
  const hasMore = found.length > query.page.limit
  const kept = found.slice(0, query.page.limit)
  const last = kept.at(-1)
  const nextCursor = hasMore && last ? cursorAfter(query, kept.length, keyIn(last, query.sort)) : null
  return { rows: kept, hasMore, nextCursor }
}

/** The number of records that match a query; if capped, counting stops at the maximum. */
export async function countRecords(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  mode: 'exact' | 'capped',
): Promise<{ readonly total: number; readonly totalIs: 'exact' | 'atLeast' }> {
  const setting = await settingFor(scope, query, 'count')
  const [counted] = await withQueryTiming(scope, { query }, () => run(scope, compileCount(query, mode, setting)))
  const total = Number(counted?.total ?? 0)
  return mode === 'capped' && total > COUNT_CAP ? { total: COUNT_CAP, totalIs: 'atLeast' } : { total, totalIs: 'exact' }
}

export async function selectGroups(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
): Promise<{ readonly groups: readonly RecordGroup[]; readonly total: number }> {
  const setting = await settingFor(scope, query, 'groups')
  const rows = await withQueryTiming(scope, { query, grouping }, () =>
    run(scope, compileGroups(query, grouping, setting)),
  )
  const [first] = rows
  if (first || grouping.offset === 0) {
    return { groups: rows.map((row) => groupIn(row, grouping)), total: Number(first?.['total'] ?? 0) }
  }
  // Past the last page, there are no rows to contain the total, so it is queried separately.
  const [counted] = await run(scope, compileGroupCount(query, grouping, setting))
  return { groups: [], total: Number(counted?.total ?? 0) }
}

const run = async <Row>({ reader }: QueryScope, statement: RawBuilder<Row>): Promise<readonly Row[]> =>
  (await statement.execute(reader)).rows

const groupIn = (row: CollectionRow, { by, parts, aggregates }: CheckedGroupQuery): RecordGroup => ({
  key: groupKeyOf(by, keyIn(row, parts)),
  count: Number(row['size']),
  aggregates: aggregates.map((aggregate, at) => aggregateIn(row, aggregate, at)),
  offset: Number(row['begins']),
})

/** PostgreSQL returns decimals and large integers as text. */
function aggregateIn(row: CollectionRow, { type }: Aggregate, at: number): number | null {
  if (type === 'count') return Number(row['size'])
  const names = aggregateColumns(at)
  const summary = row[names.summary]
  if (summary === null || summary === undefined) return null
  if (type === 'min' || type === 'max') return Number(summary)
  const count = Number(row[names.count])
  if (count === 0) return null
  return type === 'sum' ? roundAggregate(Number(summary)) : meanOf(Number(summary), count)
}
