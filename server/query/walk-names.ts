import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { type NamedOrder, namedOrder } from '#domain/query/named-order.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { compareSortKeys } from '#domain/query/sort.ts'
import { namedIndex } from '#domain/query/wanted-index.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { CollectionRow } from '#server/database/database.ts'
import { cellsToRead } from './cells-to-read.ts'
import { tableOf } from './column-of.ts'
import { type Run, chain, firstPlace, ofFirstRow, orderOf, runsOf, sectionsBehind } from './compile-order.ts'
import { countValues } from './compile-page.ts'
import { conditionListOf } from './compile-records-query.ts'
import { selectKeys } from './compile-sort.ts'
import { keyIn } from './key-in.ts'
import { valueColumn } from './leaf-columns.ts'
import type { QueryScope } from './query-scope.ts'
import { type Condition, type SqlSetting, allOf, anyOf, column, rowAt, rowsOf } from './sql-place.ts'

/** More different things than this are pointed at in too many places to be looked up for every page. */
const MOST_THINGS = 2_000

/** How many things are gone through in one statement, and in how many statements: then the whole list is sorted instead. */
const THINGS_A_STATEMENT: readonly number[] = [4, 16, 64, 256]

/** A filter of more values is not repeated for every thing. */
const MOST_VALUES = 50

/** Rows that are passed over one by one at most. */
const MOST_SKIPPED = 5_000

/** Things of one name: the ids by which rows point at them; `isEmpty` where rows that point at nothing stand with them. */
type Thing = { readonly key: readonly KeyValue[]; readonly ids: readonly string[]; readonly isEmpty: boolean }

type Walk = {
  readonly scope: QueryScope
  readonly query: CheckedRecordsQuery
  readonly setting: SqlSetting
  readonly order: NamedOrder
}

/**
 * A page in the order of names: of related records, of people. First the things that are pointed at are put in order, of
 * which there are far fewer than rows; then the rows of one after the other are taken from the index of the field.
 * undefined where that is no short cut.
 */
export async function walkNames(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  setting: SqlSetting,
  fields: readonly Field[],
): Promise<readonly CollectionRow[] | undefined> {
  const order = namedOrder(query.sort)
  const skip = query.page.after === null ? query.page.ordinal : query.page.skip
  if (!order || !scope.isIndexed?.(query.collection.id, namedIndex(order))) return undefined
  if (skip > MOST_SKIPPED || countValues(query) > MOST_VALUES) return undefined

  const walk = { scope, query, setting, order }
  const things = await thingsOf(walk)
  const found = things && (await idsOf(walk, things, skip + query.page.limit + 1))
  if (found === undefined) return undefined
  const ids = found.slice(skip)
  const rows = await rowsWith(walk, ids, fields)
  // Somebody removed one of them meanwhile: a list that is read in one statement has no such gap.
  return rows.length === ids.length ? rows : undefined
}

/** The things in their order, each found by one step in the index from the one before; undefined if there are too many. */
async function thingsOf({ scope, query, setting, order }: Walk): Promise<Thing[] | undefined> {
  const table = sql.table(tableOf(query.collection.id))
  const name = valueColumn(order.leaf)
  const [first, next] = [column('n', name), sql.id(name)]
  const rows = await run(
    scope,
    sql<CollectionRow>`with recursive held(thing) as (
  select min(${first}) from ${table} as n
  union all
  select (select min(${first}) from ${table} as n where ${first} > held.thing) from held where held.thing is not null
)
select ${column(rowAt(0), name)} as thing, ${sql.join(selectKeys(order.named, firstPlace(setting)))}
from (select held.thing as ${next} from held where held.thing is not null limit ${MOST_THINGS + 1}) as ${sql.id(rowAt(0))}`,
  )
  if (rows.length > MOST_THINGS) return undefined
  const nothing: Thing = { key: order.named.map(() => null), ids: [], isEmpty: true }
  const things = rows.map(
    (row): Thing => ({ key: keyIn(row, order.named), ids: [String(row['thing'])], isEmpty: false }),
  )
  return merged([...things, nothing], order)
}

/** Things in the order of their names; those that cannot be told apart stand together. */
function merged(things: readonly Thing[], { named }: NamedOrder): Thing[] {
  const ordered = things.toSorted((left, right) => compareSortKeys(named, left.key, right.key))
  const found: Thing[] = []
  for (const thing of ordered) {
    const last = found.at(-1)
    if (last && compareSortKeys(named, last.key, thing.key) === 0) {
      found.splice(-1, 1, { ...last, ids: [...last.ids, ...thing.ids], isEmpty: last.isEmpty || thing.isEmpty })
    } else found.push(thing)
  }
  return found
}

/** The ids of so many records behind the query's key; undefined where too many things had to be gone through. */
async function idsOf(walk: Walk, things: readonly Thing[], most: number): Promise<readonly string[] | undefined> {
  const { query, order } = walk
  const { after } = query.page
  const ahead = after === null ? things : things.filter(({ key }) => compareSortKeys(order.named, key, after) >= 0)
  const ids = new Set<string>()
  let at = 0
  for (const count of THINGS_A_STATEMENT) {
    const some = ahead.slice(at, at + count)
    if (some.length === 0) return [...ids]
    const rows = await run(walk.scope, compileIds(walk, some, most - ids.size))
    for (const row of rows) ids.add(String(row['id']))
    if (ids.size >= most) return [...ids]
    at += count
  }
  return at < ahead.length ? undefined : [...ids]
}

function compileIds(walk: Walk, things: readonly Thing[], most: number): RawBuilder<CollectionRow> {
  const { query, setting, order } = walk
  const runs = runsOf(order.rest, { setting, names: ofFirstRow, home: query.collection.id, fixed: new Set() })
  const conditions = conditionListOf(query, firstPlace(setting))
  const statements = things.flatMap((thing) =>
    sectionsOf(walk, runs, thing).map(
      ({ where, order: by }) => sql`select ${column(rowAt(0), 'id')} as id
    from ${rowsOf(query.collection.id, 0)}
    where ${allOf([pointsAt(thing, walk), ...conditions, ...where])}
    order by ${sql.join(by)}`,
    ),
  )
  return sql`${chain(statements, most)}
  limit ${most}`
}

/** Behind the query's key only the rest of the thing that the key stands in is left. */
function sectionsOf({ query, setting, order }: Walk, runs: readonly Run[], { key }: Thing) {
  const { after } = query.page
  if (after === null || compareSortKeys(order.named, key, after) !== 0)
    return [{ where: [], order: orderOf(runs, setting) }]
  return sectionsBehind(runs, after.slice(order.named.length), setting)
}

function pointsAt({ ids, isEmpty }: Thing, { order }: Walk): Condition {
  const own = column(rowAt(0), valueColumn(order.leaf))
  const [only] = ids
  const named: Condition = ids.length === 1 && only ? sql`${own} = ${only}` : sql`${own} in (${sql.join([...ids])})`
  return anyOf([...(ids.length > 0 ? [named] : []), ...(isEmpty ? [sql<SqlBool>`${own} is null`] : [])])
}

/** The rows of these records in the order of the list. */
async function rowsWith(
  { scope, query, setting }: Walk,
  ids: readonly string[],
  fields: readonly Field[],
): Promise<readonly CollectionRow[]> {
  if (ids.length === 0) return []
  const columns = cellsToRead(fields, setting.dialect)
  const rows = await run(
    scope,
    sql<CollectionRow>`select ${sql.join([...columns, ...selectKeys(query.sort, firstPlace(setting))])}
from ${rowsOf(query.collection.id, 0)}
where ${column(rowAt(0), 'id')} in (${sql.join([...ids])})`,
  )
  const keyed = rows.map((row) => ({ row, key: keyIn(row, query.sort) }))
  return keyed.toSorted((left, right) => compareSortKeys(query.sort, left.key, right.key)).map(({ row }) => row)
}

const run = async <Row>({ reader }: QueryScope, statement: RawBuilder<Row>): Promise<readonly Row[]> =>
  (await statement.execute(reader)).rows
