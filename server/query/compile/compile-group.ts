import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { computedAt, type Leaf, leafOf, optionField, readableAt } from '#domain/query/check/checked-filter.ts'
import {
  type Aggregate,
  aggregateLeaf,
  type CheckedGroupQuery,
  entriesFields,
  type EntriesField,
  type GroupOrder,
  storedLeaf,
} from '#domain/query/list/group.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import type { SortPart } from '#domain/query/list/sort.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { fromRelation, linkColumn, reachable, readableConditions } from './compile-filter.ts'
import { conditionsOf, listRows } from './compile-conditions.ts'
import { keyColumns, orderByKeys, selectKeys } from './compile-sort.ts'
import { entriesOf, foldColumn, hasTextOrder, valueColumn } from '#server/query/sql/leaf-columns.ts'
import { foldOf } from './formula/compile-formula.ts'
import { leafFold, leafValue } from './formula/leaf-value.ts'
import {
  allOf,
  column,
  columnOf,
  entryAt,
  rowAt,
  type SqlContext,
  type SqlOptions,
} from '#server/query/sql/sql-context.ts'

/** Column names of an aggregate (`a0`) and its value count (`c0`). */
export const aggregateColumns = (at: number) => ({ summary: `a${at}`, count: `c${at}` })

/**
 * Groups in list order. Rows are first grouped by stored value, which an index can serve, so that each group's sort
 * key, such as a relation's title or the month of a date, is computed once per group instead of once per row. A running sum of group sizes
 * gives each group's start.
 */
export function compileGroups(
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
  setting: SqlOptions,
): RawBuilder<CollectionRow> {
  const { by, parts, aggregates, order, limit, offset } = grouping
  if (by.length === 0) return compileTotal(query, grouping, setting)
  return sql`select sizes.*,
  sum(sizes.size) over (order by ${orderByKeys(parts, 'sizes')} rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (${compileSizes(query, grouping, setting)}) as sizes
order by ${order ? sql`${orderByAggregate(aggregates, order)}, ` : sql``}${orderByKeys(parts, 'sizes')}
limit ${limit} offset ${offset}`
}

function orderByAggregate(aggregates: readonly Aggregate[], { at, isDescending }: GroupOrder): RawBuilder<unknown> {
  const { summary, count } = aggregateColumns(at)
  const type = aggregates[at]?.type ?? 'count'
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`
  if (type === 'count') return sql`sizes.size ${direction}`
  const value = column('sizes', summary)
  if (type === 'min' || type === 'max') return sql`${value} ${direction}`
  // Without values, there is neither a sum nor an average.
  const values = sql`nullif(${column('sizes', count)}, 0)`
  return type === 'avg'
    ? sql`${value} * 1.0 / ${values} ${direction}`
    : sql`case when ${values} is not null then ${value} end ${direction}`
}

/** The single group when there is no group-by field, computed in one unordered pass; none if there are no rows. */
function compileTotal(
  query: CheckedRecordsQuery,
  { aggregates }: CheckedGroupQuery,
  setting: SqlOptions,
): RawBuilder<CollectionRow> {
  const place: SqlContext = { ...setting, level: 0 }
  const summaries = aggregates.flatMap((aggregate, at) => aggregateExpressions(aggregate, at, place))
  return sql`select ${sql.join([sql`count(*) as size`, sql`0 as begins`, sql`1 as total`, ...summaries])}
from ${
    maskedRows(query, { by: [], aggregates }, place) ??
    sql`${listRows(query, place)}
where ${conditionsOf(query, place)}`
  }
having count(*) > 0`
}

export const compileGroupCount = (
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
  setting: SqlOptions,
): RawBuilder<{ readonly total: unknown }> =>
  sql`select count(*) as total from (${compileSizes(query, { ...grouping, aggregates: [] }, setting)}) as sizes`

function compileSizes(
  query: CheckedRecordsQuery,
  grouping: CheckedGroupQuery,
  setting: SqlOptions,
): RawBuilder<unknown> {
  const { by, parts, aggregates } = grouping
  const place: SqlContext = { ...setting, level: 0 }
  const names = aggregates.flatMap((aggregate, at) => namesOf(aggregate, at))
  const intervals = new Set(by.flatMap(({ leaf, stored }) => (stored ? [leaf] : [])))
  const keys = parts.map((part) => maskedPart(part, intervals))
  const keyed = sql`select ${sql.join([...selectKeys(keys, place), sql`size`, ...names.map(({ name }) => sql.id(name))])}
  from (${compileHeldValues(query, grouping, place)}) as ${sql.id(rowAt(0))}`
  if (!parts.some((part) => needsKeyExpression(part) || intervals.has(part.leaf))) return keyed

  const columns = keyColumns(parts, 'keyed')
  const summaries = names.map(({ name, by: how }) => sql`${sql.raw(how)}(${column('keyed', name)}) as ${sql.id(name)}`)
  return sql`select ${sql.join([...columns, sql`sum(keyed.size) as size`, ...summaries])}
  from (${keyed}) as keyed
  group by ${sql.join(columns)}`
}

/** Deleted options and hidden records count as empty, so several stored values can share a group. */
const needsKeyExpression = ({ keyType, steps, leaf }: SortPart): boolean =>
  keyType === 'place' || (steps.length > 0 && leaf.type === 'system')

function compileHeldValues(query: CheckedRecordsQuery, { by, aggregates }: CheckedGroupQuery, place: SqlContext) {
  const held = [...new Set(by.flatMap((field) => heldColumns(storedLeaf(field), place)))]
  const columns = held.map((name) => column(rowAt(0), name))
  const summaries = aggregates.flatMap((aggregate, at) => aggregateExpressions(aggregate, at, place))
  const values = sql`
    select ${sql.join([...columns, sql`count(*) as size`, ...summaries])}
    from ${
      maskedRows(query, { by, aggregates }, place) ??
      sql`${listRows(query, place)}
    where ${conditionsOf(query, place)}`
    }
    group by ${sql.join(columns)}
  `
  const texts = new Map(by.map((field) => [valueColumn(storedLeaf(field)), storedLeaf(field)]))
  const folded = [...texts].flatMap(([name, leaf]) =>
    isFoldedLater(leaf, place) ? sql`${foldOf(column('held', name), place)} as ${sql.id(foldColumn(leaf))}` : [],
  )
  return folded.length === 0 ? values : sql`select held.*, ${sql.join(folded)} from (${values}) as held`
}

const heldColumns = (leaf: Leaf, place: SqlContext): readonly string[] => [
  ...(hasTextOrder(leaf) && !isFoldedLater(leaf, place) ? [foldColumn(leaf)] : []),
  valueColumn(leaf),
]

/**
 * Whether the folded text is computed per group. PostgreSQL would otherwise compute the formula twice per row; SQLite
 * reads the folded text from an index.
 */
const isFoldedLater = (leaf: Leaf, { dialect }: SqlContext): boolean =>
  dialect === 'postgres' && hasTextOrder(leaf) && computedAt(leaf) !== undefined

/**
 * The list's rows with conditionally hidden values set to null, and with the values of formulas as columns; undefined if
 * there are neither.
 */
function maskedRows(
  query: CheckedRecordsQuery,
  { by, aggregates }: Pick<CheckedGroupQuery, 'by' | 'aggregates'>,
  place: SqlContext,
): RawBuilder<unknown> | undefined {
  const summaries = aggregates.flatMap((each) => (each.type === 'count' ? [] : [aggregateLeaf(each)]))
  const leaves = [...by.map(storedLeaf), ...summaries]
  const several = entriesFields(by)
  if (several.length === 0 && leaves.every((leaf) => readableAt(leaf) === null && computedAt(leaf) === undefined))
    return undefined

  const columns = new Map(leaves.flatMap((leaf) => heldColumns(leaf, place).map((name) => [name, leaf] as const)))
  const seen = [...columns].map(([name, leaf]) => {
    const at = several.findIndex((field) => field.leaf === leaf)
    if (at !== -1) return sql`${column(entriesAt(at), 'value')} as ${sql.id(name)}`
    const held = readableConditions(readableAt(leaf), place)
    const own = name === valueColumn(leaf) ? leafValue(leaf, place) : leafFold(leaf, place)
    if (held.length === 0) return computedAt(leaf) ? sql`${own} as ${sql.id(name)}` : own
    return sql`case when ${allOf(held)} then ${own} end as ${sql.id(name)}`
  })
  // Without it, PostgreSQL would calculate a formula again at each place of an aggregate.
  const fence = place.dialect === 'postgres' && leaves.some(computedAt) ? sql` offset 0` : sql``
  const joins = several.map((field, at) => joinEntries(field, entriesAt(at), place))
  const rows = sql`select ${sql.join(seen)} from ${listRows(query, place)} ${sql.join(joins, sql` `)}
    where ${conditionsOf(query, place)}${fence}`
  return sql`(${rows}) as ${sql.id(rowAt(0))}`
}

const entriesAt = (at: number): string => `g${at}`

/** Repeats a row for each of its values, or once if it has none. */
function joinEntries({ entries, leaf }: EntriesField, name: string, place: SqlContext): RawBuilder<unknown> {
  const { record, value, from, where, readable } = entriesOfField({ entries, leaf }, place)
  const values = sql`select ${record} as record_id, ${value} as value from ${from} where ${allOf(where)}`
  const on = [sql<SqlBool>`${column(name, 'record_id')} = ${column(rowAt(0), 'id')}`, ...readable]
  return sql`left join (${values}) as ${sql.id(name)} on ${allOf(on)}`
}

function entriesOfField({ entries, leaf }: Pick<EntriesField, 'entries' | 'leaf'>, place: SqlContext) {
  const there: SqlContext = { ...place, level: 1 }
  const entry = entryAt(1)
  const [step] = entries.steps
  if (step) {
    const isOwnList = !step.isReverse && step.relation.options.many
    return {
      record: isOwnList ? column(entry, 'record_id') : linkColumn(step, 1),
      value: column(rowAt(1), 'id'),
      from: fromRelation(step, place),
      where: reachable(step, there),
      readable: readableConditions(step.readable, place),
    }
  }
  const options = optionField(leaf)?.options.choices.map(({ id }) => sql.lit(id))
  const value = column(entry, 'value')
  const known =
    options?.length === 0 ? sql<SqlBool>`1 = 0` : options && sql<SqlBool>`${value} in (${sql.join(options)})`
  return {
    record: column(entry, 'record_id'),
    value,
    from: entriesOf(entries.leaf, 1),
    where: known ? [known] : [],
    readable: readableConditions(readableAt(entries.leaf), place),
  }
}

/** Reads the columns of `maskedRows`; the first day of an interval is computed from a column. */
function maskedPart(part: SortPart, intervals: ReadonlySet<Leaf>): SortPart {
  const { steps, leaf } = part
  const [first, ...rest] = steps
  if (first) return { ...part, steps: [{ ...first, readable: null }, ...rest] }
  if (leaf.type !== 'field') return part
  return { ...part, leaf: leafOf(leaf.field, null, intervals.has(leaf) ? leaf.computed : undefined) }
}

function namesOf({ type }: Aggregate, at: number): readonly { readonly name: string; readonly by: string }[] {
  const names = aggregateColumns(at)
  if (type === 'count') return []
  if (type === 'min' || type === 'max') return [{ name: names.summary, by: type }]
  return [names.summary, names.count].map((name) => ({ name, by: 'sum' }))
}

/** An average is returned as sum and count; a count of zero means that there is no sum. */
function aggregateExpressions(aggregate: Aggregate, at: number, { dialect }: SqlOptions): RawBuilder<unknown>[] {
  if (aggregate.type === 'count') return []
  const names = aggregateColumns(at)
  const number = column(rowAt(0), columnOf(aggregate.field.id))
  switch (aggregate.type) {
    case 'sum':
    case 'avg': {
      const sum = dialect === 'postgres' ? sumOfDecimals(number) : sql`sum(${number})`
      return [sql`${sum} as ${sql.id(names.summary)}`, sql`count(${number}) as ${sql.id(names.count)}`]
    }
    case 'min':
      return [sql`min(${number}) as ${sql.id(names.summary)}`]
    case 'max':
      return [sql`max(${number}) as ${sql.id(names.summary)}`]
  }
}

/**
 * On PostgreSQL, numbers are summed as decimals, because doubles would accumulate errors that SQLite compensates for.
 * Numbers with up to six decimal places and at most 15 significant digits are summed as integer millionths, which takes
 * a third of the time. All other numbers are very large, very small or very long.
 */
function sumOfDecimals(number: RawBuilder<unknown>): RawBuilder<unknown> {
  const isWhole = sql`round(${number} * 1e6) / 1e6 = ${number}`
  const millionths = sql`case when ${number} between -1e9 and 1e9 then case when ${isWhole} then (${number} * 1e6)::int8 end end`
  const rest = sql`case when ${millionths} is null then ${number}::numeric end`
  return sql`coalesce(sum(${millionths}), 0) * 0.000001 + coalesce(sum(${rest}), 0)`
}
