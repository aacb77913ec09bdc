import { type RawBuilder, sql } from 'kysely'
import {
  type CheckedComparison,
  type CheckedFilter,
  type CheckedNode,
  type CheckedPair,
  type PairSide,
  type PairSign,
  type Step,
  readableAt,
} from '#domain/query/check/checked-filter.ts'
import { compileEmpty, compileTest } from './compile-value-test.ts'
import { leafFold, leafValue } from './formula/leaf-value.ts'
import { entriesOf, entryOfRow, hasTextOrder, isListLeaf, placeAmong } from '#server/query/sql/leaf-columns.ts'
import {
  allOf,
  anyOf,
  column,
  columnOf,
  type Condition,
  entryAt,
  listTableOf,
  rowAt,
  rowsOf,
  type SqlContext,
  withoutPending,
} from '#server/query/sql/sql-context.ts'

/** Compiles a checked filter to a `where` condition. User input is always bound, never part of the SQL text. */
export const compileFilter = (filter: CheckedFilter, place: SqlContext): Condition => compileNode(filter, place)

export function compileNode(node: CheckedNode, place: SqlContext): Condition {
  switch (node.type) {
    case 'all':
      return allOf(node.of.map((part) => compileNode(part, place)))
    case 'any':
      return anyOf(node.of.map((part) => compileNode(part, place)))
    case 'compare':
      return compileComparison(node, place)
    case 'pair':
      return compilePair(node, place)
  }
}

/** At least one value must match or, if negated, no value. `is not true` treats an empty column as no match. */
function compileComparison(comparison: CheckedComparison, place: SqlContext): Condition {
  const { steps, leaf, isNegated } = comparison
  const isOwnColumn = steps.length === 0 && !isListLeaf(leaf)
  const isEverywhere = readableAt(leaf) === null
  if (isNegated && isOwnColumn && isEverywhere && comparison.test.is === 'filled') return compileEmpty(leaf, place)
  const holds = someValue(comparison, steps, place)
  if (!isNegated) return holds
  const isExists = steps.length > 0 || (isListLeaf(leaf) && isEverywhere)
  return isExists ? sql`not ${holds}` : sql`(${holds}) is not true`
}

function someValue(comparison: CheckedComparison, [step, ...rest]: readonly Step[], place: SqlContext): Condition {
  if (!step)
    return allOf([
      ...readableConditions(readableAt(comparison.leaf), place),
      compileTest(comparison.test, comparison.leaf, place),
    ])

  const there: SqlContext = { ...place, level: place.level + 1 }
  if (step.isMatchedFirst) return linkedFromAny(step, place, someValue(comparison, rest, there))
  const conditions = [...pathConditions(step, place), someValue(comparison, rest, there)]
  return sql`exists (select 1 from ${fromRelation(step, place)} where ${allOf(conditions)})`
}

/** The subquery doesn't refer to the row, so it runs once. */
function linkedFromAny(step: Step, place: SqlContext, matches: Condition): Condition {
  const there: SqlContext = { ...place, level: place.level + 1 }
  const linked = sql`select ${linkColumn(step, there.level)} from ${fromRelation(step, place)}
    where ${allOf([...reachable(step, there), matches])}`
  const isLinked: Condition = sql`${column(rowAt(place.level), 'id')} in (${linked})`
  return allOf([...readableConditions(step.readable, place), isLinked])
}

function compilePair({ left, right, sign, isNegated }: CheckedPair, place: SqlContext): Condition {
  const holds = withValue(left, { place, free: place.level + 1 }, (one, free) =>
    withValue(right, { place, free }, (other) => compareColumns(one, sign, other)),
  )
  return isNegated ? sql`(${holds}) is not true` : holds
}

type SideValue = { readonly own: RawBuilder<unknown>; readonly fold: RawBuilder<unknown> | null }

/**
 * The starting row of one side of a comparison, and the first free nesting level, so that inner aliases don't shadow
 * outer aliases.
 */
type SidePlace = { readonly place: SqlContext; readonly free: number }

function withValue(
  side: PairSide,
  { place, free }: SidePlace,
  passes: (value: SideValue, free: number) => Condition,
  [step, ...rest]: PairSide['steps'] = side.steps,
): Condition {
  if (step) {
    const further = withValue(side, { place: { ...place, level: free }, free: free + 1 }, passes, rest)
    return sql`exists (select 1 from ${fromRelation(step, place, free)} where ${allOf([...pathConditions(step, place, free), further])})`
  }
  const { leaf } = side
  const held = readableConditions(readableAt(leaf), place)
  if (!isListLeaf(leaf)) return allOf([...held, passes(valueOfSide(side, place), free)])
  const entry = { own: comparedBy(side, column(entryAt(free), 'value')), fold: null }
  const conditions = [...held, entryOfRow(free, place.level), passes(entry, free + 1)]
  return sql`exists (select 1 from ${entriesOf(leaf, free)} where ${allOf(conditions)})`
}

function valueOfSide(side: PairSide, place: SqlContext): SideValue {
  const { leaf } = side
  const own = comparedBy(side, leafValue(leaf, place))
  return { own, fold: hasTextOrder(leaf) ? leafFold(leaf, place) : null }
}

/** Options are compared by position; deleted options have no position. */
const comparedBy = ({ options }: PairSide, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  options === null ? value : placeAmong(options, value)

/** Texts are ordered by folded form, then by exact text; only identical texts are equal. */
function compareColumns(left: SideValue, sign: PairSign, right: SideValue): Condition {
  const is = sql.raw(sign)
  if (sign === '=' || left.fold === null || right.fold === null) return sql`${left.own} ${is} ${right.own}`
  return sql`(${left.fold}, ${left.own}) ${is} (${right.fold}, ${right.own})`
}

export function fromRelation({ relation, isReverse, into }: Step, { level }: SqlContext, to = level + 1) {
  const rows = rowsOf(into, to)
  if (!relation.options.many) return rows
  const entry = entryAt(to)
  const entries = sql`${sql.table(listTableOf(relation.id))} as ${sql.id(entry)}`
  return sql`${entries} join ${rows} on ${column(rowAt(to), 'id')} = ${column(entry, isReverse ? 'record_id' : 'value')}`
}

export const pathConditions = (step: Step, place: SqlContext, to = place.level + 1): readonly Condition[] => [
  ...readableConditions(step.readable, place),
  ...joinConditions(step, place, to),
  ...reachable(step, { ...place, level: to }),
]

/**
 * Conditions that restrict a query to rows in which the field is visible to the reader; empty if it is visible in all
 * rows.
 */
export const readableConditions = (readable: CheckedNode | null, place: SqlContext): readonly Condition[] =>
  readable === null ? [] : [compileNode(readable, place)]

/** The ID in a linking record of the record that it links to. */
export const linkColumn = ({ relation }: Pick<Step, 'relation'>, level: number): RawBuilder<unknown> =>
  relation.options.many ? column(entryAt(level), 'value') : column(rowAt(level), columnOf(relation.id))

function joinConditions(step: Step, { level }: SqlContext, to: number): readonly Condition[] {
  const { relation, isReverse } = step
  if (isReverse) return [sql`${linkColumn(step, to)} = ${column(rowAt(level), 'id')}`]
  if (relation.options.many) return [entryOfRow(to, level)]
  return [sql`${column(rowAt(to), 'id')} = ${column(rowAt(level), columnOf(relation.id))}`]
}

export function reachable({ visible }: Step, there: SqlContext): readonly Condition[] {
  return [...withoutPending(there), ...(visible === null ? [] : [compileNode(visible, there)])]
}
