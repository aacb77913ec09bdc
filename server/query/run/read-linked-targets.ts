import { sql } from 'kysely'
import type { LinkedNameOrder } from '#domain/query/linked-name-order.ts'
import { compareSortKeys } from '#domain/query/sort.ts'
import { tableOf } from '#server/query/sql/column-names.ts'
import { rootContext } from '#server/query/compile/compile-order.ts'
import { selectKeys } from '#server/query/compile/compile-sort.ts'
import { keyIn } from '#server/query/sql/row-sort-key.ts'
import { valueColumn } from '#server/query/sql/leaf-columns.ts'
import type { LinkedTarget, LinkedTargetsSnapshot, LinkedTargetsQuery } from './linked-target.ts'
import type { QueryScope } from './query-scope.ts'
import { runWithSnapshot } from './run-with-visibility.ts'
import { type SqlOptions, column, rowAt } from '#server/query/sql/sql-context.ts'

/** More different things than this are pointed at in too many places to be looked up for every page. */
const MAX_TARGETS = 2_000

/** Reads the things in their order, each found by one step in the index from the one before. */
export async function readLinkedTargets(
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

/** Things in the order of their names; those that cannot be told apart stand together. */
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
