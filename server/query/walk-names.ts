import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { type NamedOrder, namedOrder } from '#domain/query/named-order.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { compareSortKeys } from '#domain/query/sort.ts'
import { namedIndex } from '#domain/query/wanted-index.ts'
import type { CollectionRow } from '#server/database/database.ts'
import { cellsToRead } from './cells-to-read.ts'
import {
  type Run,
  type Section,
  chain,
  firstPlace,
  ofFirstRow,
  orderOf,
  rowKey,
  runsOf,
  sectionsBehind,
} from './compile-order.ts'
import { countValues, joinOnce, mostRows, skipOf } from './compile-page.ts'
import { conditionListOf } from './compile-records-query.ts'
import { selectKeys } from './compile-sort.ts'
import { keyIn } from './key-in.ts'
import { valueColumn } from './leaf-columns.ts'
import type { NamedThing } from './named-thing.ts'
import type { QueryScope } from './query-scope.ts'
import { readThings } from './read-things.ts'
import { type Condition, type SqlSetting, allOf, anyOf, column, rowAt, rowsOf } from './sql-place.ts'

/** The rows of how many things are gone through for a page, from try to try: then the whole list is sorted instead. */
const THINGS_A_STATEMENT: readonly number[] = [4, 16, 64, 256]

/** A filter of more values is not repeated for every thing. */
const MOST_VALUES = 50

/** Rows that are passed over one by one at most. */
const MOST_SKIPPED = 5_000

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
  if (!order || !scope.isIndexed?.(query.collection.id, namedIndex(order))) return undefined
  if (skipOf(query) > MOST_SKIPPED || countValues(query) > MOST_VALUES) return undefined

  const asked = { collection: query.collection, order }
  const read = () => readThings(scope, asked, setting)
  const things = scope.keepThings ? await scope.keepThings(asked, read) : (await read()).value
  const walk = { scope, query, setting, order }
  return things ? pageAlong(walk, behindKey(walk, things), fields) : undefined
}

/** The things in which rows may stand behind the query's key. */
function behindKey({ query, order }: Walk, things: readonly NamedThing[]): readonly NamedThing[] {
  const { after } = query.page
  if (after === null) return things
  const first = things.findIndex(({ key }) => compareSortKeys(order.named, key, after) >= 0)
  return first === -1 ? [] : things.slice(first)
}

/** The page from the rows of the first few things, or of more; undefined where too many had to be gone through. */
async function pageAlong(
  walk: Walk,
  things: readonly NamedThing[],
  fields: readonly Field[],
): Promise<readonly CollectionRow[] | undefined> {
  if (things.length === 0) return []
  for (const count of THINGS_A_STATEMENT) {
    const { rows } = await compileAlong(walk, things.slice(0, count), fields).execute(walk.scope.reader)
    if (rows.length > walk.query.page.limit || count >= things.length) return inOrder(walk.query, rows)
  }
  return undefined
}

function compileAlong(
  { query, setting, order }: Walk,
  things: readonly NamedThing[],
  fields: readonly Field[],
): RawBuilder<CollectionRow> {
  const runs = runsOf(order.rest, { setting, names: ofFirstRow, home: query.collection.id, fixed: new Set() })
  const conditions = conditionListOf(query, firstPlace(setting))
  const statements = things.flatMap((thing) =>
    sectionsOf({ query, setting, order, runs }, thing).map(
      ({ where, order: by }) => sql`select ${column(rowAt(0), rowKey(setting))} as at
    from ${rowsOf(query.collection.id, 0)}
    where ${allOf([pointsAt(thing, order), ...conditions, ...where])}
    order by ${sql.join(by)}`,
    ),
  )
  const skip = skipOf(query)
  return sql`select ${sql.join([...cellsToRead(fields, setting.dialect), ...selectKeys(query.sort, firstPlace(setting))])}
from (
  ${chain(statements, mostRows(query))}
  limit ${query.page.limit + 1}${skip > 0 ? sql` offset ${skip}` : sql``}
) as page
${joinOnce(setting)} ${rowsOf(query.collection.id, 0)} on ${column(rowAt(0), rowKey(setting))} = page.at`
}

/** Behind the query's key only the rest of the thing that the key stands in is left. */
function sectionsOf(
  { query, setting, order, runs }: Omit<Walk, 'scope'> & { readonly runs: readonly Run[] },
  { key }: NamedThing,
): readonly Section[] {
  const { after } = query.page
  if (after === null || compareSortKeys(order.named, key, after) !== 0)
    return [{ where: [], order: orderOf(runs, setting) }]
  return sectionsBehind(runs, after.slice(order.named.length), setting)
}

function pointsAt({ ids, isEmpty }: NamedThing, { leaf }: NamedOrder): Condition {
  const own = column(rowAt(0), valueColumn(leaf))
  const [only] = ids
  const named: Condition = ids.length === 1 && only ? sql`${own} = ${only}` : sql`${own} in (${sql.join([...ids])})`
  return anyOf([...(ids.length > 0 ? [named] : []), ...(isEmpty ? [sql<SqlBool>`${own} is null`] : [])])
}

function inOrder({ sort }: CheckedRecordsQuery, rows: readonly CollectionRow[]): readonly CollectionRow[] {
  const keyed = rows.map((row) => ({ row, key: keyIn(row, sort) }))
  return keyed.toSorted((left, right) => compareSortKeys(sort, left.key, right.key)).map(({ row }) => row)
}
