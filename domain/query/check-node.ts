import { type Result, fail, ok } from '../shared/result.ts'
import { type CheckedNode, type Source, ALL_RECORDS, NO_RECORDS } from './checked-filter.ts'
import { checkPair, type FieldComparison } from './check-field-comparison.ts'
import { type Comparison, type Filter, isFieldOperand, isList, literalsOf } from './filter.ts'
import { resolveTest } from './resolve-test.ts'
import { cannotCompare, OPERATOR_RULES, type ValueShape, readsText, takesKind } from './operators.ts'
import { MAX_COMPARISONS, MAX_FILTER_DEPTH, MAX_FILTER_OPTIONS, MAX_FILTER_VALUES } from './query-limits.ts'
import { kindOfLeaf } from './read-literal.ts'
import { resolvePath, resolveTitle, visibleRelation } from './resolve-path.ts'
import type { QueryEnvironment } from './query-environment.ts'

/** What was wrong with a node, and with which part of which comparison. */
export type NodeFault = {
  readonly message: string
  readonly path: string
  readonly comparison?: Comparison
  readonly part?: 'field' | 'op' | 'value'
}

type Budget = { comparisons: number; values: number; options: number }

type Place = {
  readonly environment: QueryEnvironment
  readonly path: string
  readonly depth: number
  readonly budget: Budget
}

/** Proves that a tree fits its surroundings and resolves everything that is written in it. */
export function checkNode(
  filter: Filter,
  environment: QueryEnvironment,
  path = 'filter',
): Result<CheckedNode, NodeFault> {
  return check(filter, { environment, path, depth: 0, budget: { comparisons: 0, values: 0, options: 0 } })
}

function check(filter: Filter, place: Place): Result<CheckedNode, NodeFault> {
  if ('all' in filter) return checkGroup('all', filter.all, place)
  if ('any' in filter) return checkGroup('any', filter.any, place)
  return checkComparison(filter, place)
}

function checkGroup(type: 'all' | 'any', parts: readonly Filter[], place: Place): Result<CheckedNode, NodeFault> {
  if (place.depth >= MAX_FILTER_DEPTH) {
    const comparison = parts.flatMap(firstComparison)[0]
    const message = `Groups are nested deeper than ${MAX_FILTER_DEPTH} levels.`
    return fail({ message, path: place.path, ...(comparison && { comparison }) })
  }
  const of: CheckedNode[] = []
  for (const [at, part] of parts.entries()) {
    const node = check(part, { ...place, path: `${place.path}.${type}.${at}`, depth: place.depth + 1 })
    if (!node.ok) return node
    of.push(node.value)
  }
  return ok({ type, of })
}

/** The first comparison of a part, where errors of the whole part are shown. */
function firstComparison(part: Filter): readonly Comparison[] {
  if ('all' in part || 'any' in part) return ('all' in part ? part.all : part.any).flatMap(firstComparison).slice(0, 1)
  return [part]
}

function checkComparison(comparison: Comparison, place: Place): Result<CheckedNode, NodeFault> {
  const { environment, budget, path } = place
  const reject = ({ part, message }: PartFault) => fail({ message, path, comparison, part })

  const literals = literalsOf(comparison)
  const excess = spend(budget, literals.length)
  if (excess !== undefined) return reject({ part: 'field', message: excess })
  const found = resolvePath(comparison.field, environment)
  if (!found.ok) return reject({ part: 'field', message: found.fault })

  const node = comparesFields(comparison)
    ? checkPair(comparison, found.value, environment)
    : checkValues(comparison, found.value, environment)
  if (!node.ok) return reject(node.fault)
  const tooMany = spendOptions(budget, optionsIn(node.value) - literals.length)
  return tooMany === undefined ? node : reject({ part: 'value', message: tooMany })
}

/** What is wrong with a comparison, and with which part of it. */
type PartFault = { readonly part: 'field' | 'op' | 'value'; readonly message: string }

const comparesFields = (comparison: Comparison): comparison is FieldComparison =>
  isFieldOperand(comparison.value) && OPERATOR_RULES[comparison.op].takes === 'one'

/** A comparison with values, or with nothing. */
function checkValues(
  comparison: Comparison,
  found: Source,
  environment: QueryEnvironment,
): Result<CheckedNode, PartFault> {
  const { field, op, value } = comparison
  const source = sourceFor(comparison, found, environment)
  if (!source) return ok(NEVER[op] ?? NO_RECORDS)
  const kind = kindOfLeaf(source.leaf)
  if (!takesKind(op, kind)) return fail({ part: 'op', message: cannotCompare(field, kind, op) })
  if (!hasShape(OPERATOR_RULES[op].takes, value))
    return fail({ part: 'value', message: `Expected ${SHAPE_WORDS[OPERATOR_RULES[op].takes]} after ${op}.` })

  const test = resolveTest(source.leaf, op, literalsOf(comparison), environment.context)
  return test.ok
    ? ok({ type: 'compare', ...visibleRelation(source, environment), ...test.value })
    : fail({ part: 'value', message: `“${field}”: ${test.fault}` })
}

/** How many values or options a comparison comes down to. */
function optionsIn(node: CheckedNode): number {
  if (node.type === 'pair') return (node.left.options?.length ?? 0) + (node.right.options?.length ?? 0)
  return node.type === 'compare' && node.test.is === 'oneOf' ? node.test.values.length : 0
}

/** Operators of texts read a relation by the titles of its records; undefined where those are out of sight. */
function sourceFor({ op }: Comparison, source: Source, environment: QueryEnvironment): Source | undefined {
  return readsText(op) && kindOfLeaf(source.leaf) === 'relation' ? resolveTitle(source, environment) : source
}

/** The result of comparisons with titles that cannot be read. */
const NEVER: { readonly [Op in Comparison['op']]?: CheckedNode } = { '!~': ALL_RECORDS }

function spend(budget: Budget, values: number): string | undefined {
  budget.comparisons += 1
  budget.values += values
  if (budget.comparisons > MAX_COMPARISONS) return `A filter can have at most ${MAX_COMPARISONS} comparisons.`
  return budget.values > MAX_FILTER_VALUES ? `A filter can have at most ${MAX_FILTER_VALUES} values.` : undefined
}

function spendOptions(budget: Budget, options: number): string | undefined {
  budget.options += Math.max(0, options)
  return budget.options > MAX_FILTER_OPTIONS
    ? `All comparisons together match more than ${MAX_FILTER_OPTIONS} options.`
    : undefined
}

/** A tree from a body may pair any operator with any value; the text of a filter cannot. */
function hasShape(shape: ValueShape, value: Comparison['value']): boolean {
  if (shape === 'nothing') return value === undefined
  if (shape === 'one') return value !== undefined && !isList(value)
  return value !== undefined && isList(value) && (shape === 'list' || value.length === 2)
}

const SHAPE_WORDS: { readonly [Shape in ValueShape]: string } = {
  nothing: 'no value',
  one: 'one value',
  list: 'a list of values',
  pair: 'a pair of values',
}
