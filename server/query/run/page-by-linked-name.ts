import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { type LinkedNameOrder, compareSortKeys, linkedNameOrder } from '#domain/query/list/sort.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { indexForLinkedNames } from '#domain/query/list/index-selection.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import {
  chain,
  ofFirstRow,
  orderOf,
  type OrderRun,
  rootContext,
  rowKey,
  runsOf,
  type Section,
  sectionsAfter,
} from '#server/query/compile/compile-order.ts'
import { countValues, joinOnce, maxRows, skipOf } from '#server/query/compile/compile-page.ts'
import { conditionListOf } from '#server/query/compile/compile-conditions.ts'
import { selectKeys, keyIn } from '#server/query/compile/compile-sort.ts'
import { valueColumn } from '#server/query/sql/leaf-columns.ts'
import {
  type LinkedTarget,
  type LinkedTargetsQuery,
  type LinkedTargetsSnapshot,
  type QueryScope,
  runWithSnapshot,
} from './query-scope.ts'
import {
  allOf,
  anyOf,
  column,
  type Condition,
  recordColumns,
  rowAt,
  rowsOf,
  type SqlOptions,
  tableOf,
} from '#server/query/sql/sql-context.ts'

/** Maximum number of distinct linked records; looking up more for every page would take too long. */
const MAX_TARGETS = 2_000

/** Reads the linked records in order, each with one index lookup that starts after the previous record. */
async function readLinkedTargets(
  scope: QueryScope,
  { collection, order }: LinkedTargetsQuery,
  setting: SqlOptions,
): Promise<LinkedTargetsSnapshot> {
  const table = sql.table(tableOf(collection.id))
  const name = valueColumn(order.leaf)
  const [first, next] = [column('n', name), sql.id(name)]
  const { rows, view } = await runWithSnapshot(
    scope,
    sql`with recursive held(thing) as (
  select min(${first}) from ${table} as n
  union all
  select (select min(${first}) from ${table} as n where ${first} > held.thing) from held where held.thing is not null
)
select ${column(rowAt(0), name)} as thing, ${sql.join(selectKeys(order.named, rootContext(setting)))}
from (select held.thing as ${next} from held where held.thing is not null limit ${MAX_TARGETS + 1}) as ${sql.id(rowAt(0))}`,
  )
  if (rows.length > MAX_TARGETS) return { value: null, view }
  const nothing: LinkedTarget = { key: order.named.map(() => null), ids: [], isEmpty: true }
  const things = rows.map(
    (row): LinkedTarget => ({ key: keyIn(row, order.named), ids: [String(row['thing'])], isEmpty: false }),
  )
  return { value: merged([...things, nothing], order), view }
}

function merged(things: readonly LinkedTarget[], { named }: LinkedNameOrder): LinkedTarget[] {
  const ordered = things.toSorted((left, right) => compareSortKeys(named, left.key, right.key))
  const found: LinkedTarget[] = []
  for (const thing of ordered) {
    const last = found.at(-1)
    if (last && compareSortKeys(named, last.key, thing.key) === 0) {
      found.splice(-1, 1, { ...last, ids: [...last.ids, ...thing.ids], isEmpty: last.isEmpty || thing.isEmpty })
    } else found.push(thing)
  }
  return found
}

/** Maximum number of linked records scanned per attempt; beyond this, the whole list is sorted. */
const TARGETS_PER_TRY: readonly number[] = [4, 16, 64, 256]

const MAX_FILTER_VALUES = 50

const MAX_SKIPPED = 5_000

type NameWalk = {
  readonly scope: QueryScope
  readonly query: CheckedRecordsQuery
  readonly setting: SqlOptions
  readonly order: LinkedNameOrder
}

/**
 * Reads a page sorted by the name of a linked record or user. Sorts the linked records, which are far fewer than the
 * rows, then reads the rows of each from the field's index. Undefined if this isn't faster.
 */
export async function findPageByLinkedName(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  setting: SqlOptions,
  fields: readonly Field[],
): Promise<readonly CollectionRow[] | undefined> {
  const order = linkedNameOrder(query.sort)
  if (!order || !scope.isIndexed?.(query.collection.id, indexForLinkedNames(order))) return undefined
  if (skipOf(query) > MAX_SKIPPED || countValues(query) > MAX_FILTER_VALUES) return undefined

  const requested = { collection: query.collection, order }
  const read = () => readLinkedTargets(scope, requested, setting)
  const things = scope.keepThings ? await scope.keepThings(requested, read) : (await read()).value
  const walk = { scope, query, setting, order }
  return things ? pageFromTargets(walk, targetsAfterKey(walk, things), fields) : undefined
}

function targetsAfterKey({ query, order }: NameWalk, things: readonly LinkedTarget[]): readonly LinkedTarget[] {
  const { after } = query.page
  if (after === null) return things
  const first = things.findIndex(({ key }) => compareSortKeys(order.named, key, after) >= 0)
  return first === -1 ? [] : things.slice(first)
}

async function pageFromTargets(
  walk: NameWalk,
  things: readonly LinkedTarget[],
  fields: readonly Field[],
): Promise<readonly CollectionRow[] | undefined> {
  if (things.length === 0) return []
  for (const count of TARGETS_PER_TRY) {
    const { rows } = await compileTargets(walk, things.slice(0, count), fields).execute(walk.scope.reader)
    if (rows.length > walk.query.page.limit || count >= things.length) return inOrder(walk.query, rows)
  }
  return undefined
}

function compileTargets(
  { query, setting, order }: NameWalk,
  things: readonly LinkedTarget[],
  fields: readonly Field[],
): RawBuilder<CollectionRow> {
  const runs = runsOf(order.rest, { setting, names: ofFirstRow, home: query.collection.id, fixed: new Set() })
  const conditions = conditionListOf(query, rootContext(setting))
  const statements = things.flatMap((thing) =>
    sectionsOf({ query, setting, order, runs }, thing).map(
      ({ where, order: by }) => sql`select ${column(rowAt(0), rowKey(setting))} as at
    from ${rowsOf(query.collection.id, 0)}
    where ${allOf([pointsAt(thing, order), ...conditions, ...where])}
    order by ${sql.join(by)}`,
    ),
  )
  const skip = skipOf(query)
  return sql`select ${sql.join([...recordColumns(fields, setting.dialect), ...selectKeys(query.sort, rootContext(setting))])}
from (
  ${chain(statements, maxRows(query))}
  limit ${query.page.limit + 1}${skip > 0 ? sql` offset ${skip}` : sql``}
) as page
${joinOnce(setting)} ${rowsOf(query.collection.id, 0)} on ${column(rowAt(0), rowKey(setting))} = page.at`
}

/** If the query's start key refers to this target, returns only the rows after the key. */
function sectionsOf(
  { query, setting, order, runs }: Omit<NameWalk, 'scope'> & { readonly runs: readonly OrderRun[] },
  { key }: LinkedTarget,
): readonly Section[] {
  const { after } = query.page
  if (after === null || compareSortKeys(order.named, key, after) !== 0)
    return [{ where: [], order: orderOf(runs, setting) }]
  return sectionsAfter(runs, after.slice(order.named.length), setting)
}

function pointsAt({ ids, isEmpty }: LinkedTarget, { leaf }: LinkedNameOrder): Condition {
  const own = column(rowAt(0), valueColumn(leaf))
  const [only] = ids
  const named: Condition = ids.length === 1 && only ? sql`${own} = ${only}` : sql`${own} in (${sql.join([...ids])})`
  return anyOf([...(ids.length > 0 ? [named] : []), ...(isEmpty ? [sql<SqlBool>`${own} is null`] : [])])
}

function inOrder({ sort }: CheckedRecordsQuery, rows: readonly CollectionRow[]): readonly CollectionRow[] {
  const keyed = rows.map((row) => ({ row, key: keyIn(row, sort) }))
  return keyed.toSorted((left, right) => compareSortKeys(sort, left.key, right.key)).map(({ row }) => row)
}
