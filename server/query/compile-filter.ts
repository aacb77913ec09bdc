import { sql } from 'kysely'
import {
  type CheckedComparison,
  type CheckedFilter,
  type CheckedNode,
  type Step,
  readableAt,
} from '#domain/query/checked-filter.ts'
import { columnOf, listTableOf } from './column-of.ts'
import { compileEmpty, compileTest } from './compile-test.ts'
import { isListLeaf } from './leaf-columns.ts'
import {
  type Condition,
  type SqlPlace,
  allOf,
  anyOf,
  column,
  entryAt,
  rowAt,
  rowsOf,
  withoutPending,
} from './sql-place.ts'

/** A checked filter as the condition of a `where`. Nothing a person wrote is in its text; all of it is bound. */
export const compileFilter = (filter: CheckedFilter, place: SqlPlace): Condition => compileNode(filter, place)

/** The same for a part of a filter, and for the conditions inside its paths. */
export function compileNode(node: CheckedNode, place: SqlPlace): Condition {
  switch (node.type) {
    case 'all':
      return allOf(node.of.map((part) => compileNode(part, place)))
    case 'any':
      return anyOf(node.of.map((part) => compileNode(part, place)))
    case 'compare':
      return compileComparison(node, place)
  }
}

/** One value must pass; negated, none may. `is not true` counts the unknown of an empty column as not passing. */
function compileComparison(comparison: CheckedComparison, place: SqlPlace): Condition {
  const { steps, leaf, isNegated } = comparison
  const isOwnColumn = steps.length === 0 && !isListLeaf(leaf)
  const isEverywhere = readableAt(leaf) === null
  if (isNegated && isOwnColumn && isEverywhere && comparison.test.is === 'filled') return compileEmpty(leaf, place)
  const holds = someValue(comparison, steps, place)
  if (!isNegated) return holds
  const isExists = steps.length > 0 || (isListLeaf(leaf) && isEverywhere)
  return isExists ? sql`not ${holds}` : sql`(${holds}) is not true`
}

/** Whether there is a row along the path whose leaf passes. */
function someValue(comparison: CheckedComparison, [step, ...rest]: readonly Step[], place: SqlPlace): Condition {
  if (!step)
    return allOf([
      ...whereHeld(readableAt(comparison.leaf), place),
      compileTest(comparison.test, comparison.leaf, place),
    ])

  const there: SqlPlace = { ...place, level: place.level + 1 }
  const conditions = [...passage(step, place), someValue(comparison, rest, there)]
  return sql`exists (select 1 from ${fromStep(step, place)} where ${allOf(conditions)})`
}

/** The tables a relation is followed through: that of the related rows and, for a list, that of its entries. */
export function fromStep({ relation, into }: Step, { level }: SqlPlace) {
  const rows = rowsOf(into, level + 1)
  if (!relation.options.many) return rows
  const entry = entryAt(level + 1)
  const entries = sql`${sql.table(listTableOf(relation.id))} as ${sql.id(entry)}`
  return sql`${entries} join ${rows} on ${column(rowAt(level + 1), 'id')} = ${column(entry, 'value')}`
}

/** Everything that leads from a row to those of `fromStep`: the relation is there, they belong to it and may be reached. */
export const passage = (step: Step, place: SqlPlace): readonly Condition[] => [
  ...whereHeld(step.readable, place),
  ...arrival(step, place),
  ...reachable(step, { ...place, level: place.level + 1 }),
]

/** That a row is among those in which something is there for its reader; asks nothing where it is in all. */
export const whereHeld = (readable: CheckedNode | null, place: SqlPlace): readonly Condition[] =>
  readable === null ? [] : [compileNode(readable, place)]

/** How the rows of `fromStep` belong to the row they start from. */
function arrival({ relation }: Step, { level }: SqlPlace): readonly Condition[] {
  if (relation.options.many) return [sql`${column(entryAt(level + 1), 'record_id')} = ${column(rowAt(level), 'id')}`]
  return [sql`${column(rowAt(level + 1), 'id')} = ${column(rowAt(level), columnOf(relation.id))}`]
}

/** What bounds the rows a relation may lead to. */
export function reachable({ visible }: Step, there: SqlPlace): readonly Condition[] {
  return [...withoutPending(there), ...(visible === null ? [] : [compileNode(visible, there)])]
}
