import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import type { SortKey } from '#domain/query/list/page-index.ts'
import { type CheckedSort, compareSortKeys } from '#domain/query/list/sort.ts'
import type { CollectionRow, CommitSnapshot } from '#server/platform/database/database.ts'
import { withQueryTiming } from '#server/query/run/slow-query-log.ts'
import { compileAnchors, compilePage } from '#server/query/compile/compile-page.ts'
import { compileCount, conditionsOf, listRows } from '#server/query/compile/compile-conditions.ts'
import { keyColumns, orderByKeys, selectListKeys } from '#server/query/compile/compile-sort.ts'
import { recordSlowCount, settingFor } from '#server/query/search/plan-search.ts'
import { type QueryScope, keyIn } from '#server/query/run/run-records-query.ts'
import { runWithSnapshot } from '#server/query/run/query-scope.ts'
import type { SqlOptions } from '#server/query/sql/sql-context.ts'
import type { ResultSnapshot } from '#server/query/cache/result-cache.ts'

/** Counts the records that match a query. In `capped` mode, returns undefined if there are more than the maximum. */
export async function readTotal(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  mode: 'exact' | 'capped',
): Promise<ResultSnapshot<number> | undefined> {
  const setting = await settingFor(scope, query, 'count')
  const startedAt = performance.now()
  const { rows, view } = await withQueryTiming(scope, { query }, () =>
    runWithSnapshot(scope, compileCount(query, mode, setting)),
  )
  if (setting.search?.hits) recordSlowCount(scope, query, performance.now() - startedAt)
  const total = Number(rows[0]?.['total'] ?? 0)
  return mode === 'capped' && total > COUNT_CAP ? undefined : { value: total, view }
}

export type ReadKeys = { readonly keys: readonly SortKey[]; readonly view: CommitSnapshot }

export type OpenList = { readonly scope: QueryScope; readonly query: CheckedRecordsQuery; readonly setting: SqlOptions }

export const openList = async (scope: QueryScope, query: CheckedRecordsQuery): Promise<OpenList> => ({
  scope,
  query,
  setting: await settingFor(scope, query, 'page'),
})

export async function readKeys(
  { scope, query, setting }: OpenList,
  { after, skip, limit }: { readonly after: SortKey | null; readonly skip: number; readonly limit: number },
): Promise<ReadKeys> {
  // A page query reads one extra record.
  const page = { ordinal: skip, after, skip, limit: limit - 1 }
  return keysOf(scope, query, compilePage({ ...query, page }, setting, []))
}

export async function readAnchors(
  list: OpenList,
  { after, blockRecords, max }: { readonly after: SortKey | null; readonly blockRecords: number; readonly max: number },
): Promise<ReadKeys> {
  const { scope, query, setting } = list
  const page = { ordinal: 0, after, skip: 0, limit: max * blockRecords }
  const anchors = compileAnchors({ ...query, page }, setting, blockRecords)
  // Keyset anchors require a usable index; without one, reading one block costs as much as reading all blocks.
  return anchors ? keysOf(scope, query, anchors) : readKeys(list, { after, skip: blockRecords - 1, limit: 1 })
}

/** Reads the last key of every block in one pass, for sort orders without an index. */
export async function readAllAnchors({ scope, query }: OpenList, blockRecords: number): Promise<ReadKeys> {
  const setting = await settingFor(scope, query, 'groups')
  const place = { ...setting, level: 0 }
  const { keys, joins } = selectListKeys(query.sort, place)
  return keysOf(
    scope,
    query,
    sql<CollectionRow>`
  select ${sql.join(keyColumns(query.sort, 'placed'))}
  from (
    select keyed.*, row_number() over (order by ${inNoIndex(query.sort, setting)}) as place
    from (
      select ${sql.join([...keys])}
      from ${listRows(query, setting)}${joins}
      where ${conditionsOf(query, place)}
    ) as keyed
  ) as placed
  where placed.place % ${sql.lit(blockRecords)} = 0
  order by placed.place`,
  )
}

/** On SQLite, a unary plus on the first sort key prevents an index scan with a lookup per row. */
const inNoIndex = (sort: CheckedSort, { dialect }: SqlOptions) =>
  dialect === 'sqlite' ? sql`+${orderByKeys(sort, 'keyed')}` : orderByKeys(sort, 'keyed')

async function keysOf(
  scope: QueryScope,
  { sort }: CheckedRecordsQuery,
  statement: RawBuilder<CollectionRow>,
): Promise<ReadKeys> {
  const { rows, view } = await runWithSnapshot(scope, statement)
  const keys = rows.map((row) => keyIn(row, sort))
  return { keys: keys.toSorted((left, right) => compareSortKeys(sort, left, right)), view }
}
