import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { sizeOf } from '#domain/formulas/expression.ts'
import { fieldsOfLinkedValues } from '#domain/formulas/formula-fields.ts'
import {
  ALL_RECORDS,
  type CheckedFilter,
  type CheckedNode,
  NO_RECORDS,
  type Source,
  storedFieldsAt,
} from './checked-filter.ts'
import {
  type Comparison,
  type Filter,
  type FormulaCondition,
  isFieldOperand,
  isList,
  literalsOf,
} from '../filter/filter.ts'
import { type ParsedFilter, parseFilter } from '../filter/parse-filter.ts'
import {
  type QueryContext,
  type QueryEnvironment,
  type QueryFault,
  type VisibleCollection,
  calendarOf,
  fullyVisible,
  invalidQuery,
} from './query-context.ts'
import { type FieldComparison, checkPair } from './check-field-comparison.ts'
import { conditionsOf } from '../filter/saved-filter.ts'
import { checkFormulaCondition } from './check-formula-condition.ts'
import { resolveTest } from './resolve-test.ts'
import {
  OPERATOR_RULES,
  operandShape,
  type ValueShape,
  cannotCompare,
  readsText,
  takesKind,
} from '../filter/operators.ts'
import {
  MAX_COMPARISONS,
  MAX_FILTER_DEPTH,
  MAX_FILTER_OPERATIONS,
  MAX_FILTER_OPTIONS,
  MAX_FILTER_VALUES,
} from '../query-limits.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { NO_PAST_VALUES, resolvePath, resolveTitle, visibleRelation } from './resolve-path.ts'

const NO_CONDITIONS: ReadonlyMap<FieldId, Filter> = new Map()

/** Validates a filter for its collection. The filter can only use fields that the actor can read. */
export function checkFilter(filter: string | Filter, context: QueryContext): Result<CheckedFilter, QueryFault> {
  const environment = environmentOfActor(context)
  return environment ? checkFilterIn(environment, filter) : ok(markChecked(NO_RECORDS))
}

export function checkFilterIn(
  environment: QueryEnvironment,
  filter: string | Filter,
): Result<CheckedFilter, QueryFault> {
  const parsed = typeof filter === 'string' ? parseFilter(filter) : ok({ filter, places: new Map() })
  if (!parsed.ok)
    return invalidQuery('filter', withPosition(parsed.fault.message, parsed.fault.position), parsed.fault.position)

  const node = checkNode(parsed.value.filter, environment)
  return node.ok
    ? ok(markChecked(node.value))
    : fail(toQueryFault(node.fault, parsed.value, typeof filter === 'string'))
}

/**
 * Validates a stored condition, such as a grant's condition. It can use hidden fields and records, and is evaluated in
 * the workspace time zone. A condition that is no longer valid for its collection matches nothing.
 */
export function checkStoredFilter(filter: Filter, context: QueryContext): CheckedFilter {
  const node = checkNode(filter, environmentOfRules(context))
  return markChecked(node.ok ? node.value : NO_RECORDS)
}

export const joinChecked = (...filters: readonly CheckedFilter[]): CheckedFilter => {
  const parts = filters.filter((filter) => filter.type !== 'all' || filter.of.length > 0)
  const [only] = parts
  return parts.length === 1 && only ? only : markChecked({ type: 'all', of: parts })
}

/** Splits long ID lists so that each comparison stays within the general filter limits. */
const IDS_PER_COMPARISON = 1000

/** Filter that matches exactly these records; the number of IDs isn't limited. */
export function checkIds(ids: readonly RecordId[], context: QueryContext): CheckedFilter {
  const parts: CheckedFilter[] = []
  for (let at = 0; at < ids.length; at += IDS_PER_COMPARISON) {
    parts.push(checkStoredFilter({ field: 'id', op: 'in', value: ids.slice(at, at + IDS_PER_COMPARISON) }, context))
  }
  return markChecked({ type: 'any', of: parts })
}

/** For use only by the checkers in this folder, which build the tree from validated nodes. */
// The brand is applied only here, so unchecked values can't have it.
export const markChecked = (node: CheckedNode): CheckedFilter => node as CheckedFilter

export const UNFILTERED: CheckedFilter = markChecked({ type: 'all', of: [] })

/** Visible part of a collection and its linked collections; undefined if nothing is visible. */
export function environmentOfActor(context: QueryContext): QueryEnvironment | undefined {
  const known = new Map<CollectionId, VisibleCollection | undefined>()
  const collectionFor = (id: CollectionId): VisibleCollection | undefined => {
    if (!known.has(id)) known.set(id, visibleToActor(id, context))
    return known.get(id)
  }
  const home = collectionFor(context.collection.id)
  return home && { context, home, collectionFor }
}

function visibleToActor(id: CollectionId, context: QueryContext): VisibleCollection | undefined {
  const collection = id === context.collection.id ? context.collection : context.collectionOf(id)
  const decision = context.decisionFor(id)
  if (!collection || !decision.allowed) return undefined

  const target = { ...context, collection }
  const visible = decision.where === undefined ? null : checkStoredFilter(decision.where, target)
  const readableIn = partlyReadable(decision.partlyHidden ?? NO_CONDITIONS, target)
  return { collection, hiddenFields: decision.hiddenFields, readableIn, visible, calendar: calendarOf(context) }
}

/** Returns the conditions of partly hidden fields; each condition is validated once, on first use. */
function partlyReadable(
  conditions: ReadonlyMap<FieldId, Filter>,
  context: QueryContext,
): VisibleCollection['readableIn'] {
  const cache = new Map<string, CheckedNode>()
  return (field) => {
    const condition = conditions.get(field)
    if (condition === undefined) return null
    const name = JSON.stringify(condition)
    const node = cache.get(name) ?? checkStoredFilter(condition, context)
    cache.set(name, node)
    return node
  }
}

/** Stored conditions can read everything and use the workspace time zone, because they don't belong to the actor. */
export function environmentOfRules(context: QueryContext): QueryEnvironment {
  const collectionFor = (id: CollectionId): VisibleCollection | undefined => {
    const collection = id === context.collection.id ? context.collection : context.collectionOf(id)
    return collection && fullyVisible(collection, calendarOf(context))
  }
  // Access at an earlier time depends on the current links.
  const ofRules = { ...context, timeZone: context.workspaceTimeZone, isPast: false }
  return { context: ofRules, home: fullyVisible(context.collection, calendarOf(context)), collectionFor }
}

function toQueryFault(fault: NodeFault, { places }: ParsedFilter, isText: boolean): QueryFault {
  const place = fault.condition && places.get(fault.condition)
  const start = place?.[fault.part ?? 'field']
  const position = start === undefined ? undefined : start + (fault.offset ?? 0)
  if (!isText) return { code: 'invalid-filter', message: fault.message, path: fault.path }
  return {
    code: 'invalid-filter',
    message: withPosition(fault.message, position),
    path: 'filter',
    ...(position === undefined ? {} : { position }),
  }
}

/** Messages use 1-based positions. */
export const withPosition = (message: string, position: number | undefined): string =>
  position === undefined ? message : `At character ${position + 1}: ${message}`

/**
 * Matches exactly the records that the filter doesn't match. A comparison and its negation partition all records,
 * including empty values, so a tree is negated by negating its leaves.
 */
export const negate = (filter: CheckedFilter): CheckedFilter => markChecked(negateNode(filter))

function negateNode(node: CheckedNode): CheckedNode {
  switch (node.type) {
    case 'all':
      return { type: 'any', of: node.of.map(negateNode) }
    case 'any':
      return { type: 'all', of: node.of.map(negateNode) }
    case 'compare':
    case 'pair':
      return { ...node, isNegated: !node.isNegated }
  }
}

export type NodeFault = {
  readonly message: string
  readonly path: string
  readonly condition?: Comparison | FormulaCondition
  readonly part?: 'field' | 'op' | 'value'
  /** Position within a formula. */
  readonly offset?: number
}

type Budget = { comparisons: number; values: number; options: number; operations: number }

type Place = {
  readonly environment: QueryEnvironment
  readonly path: string
  readonly depth: number
  readonly budget: Budget
}

/** Validates a tree and resolves its paths, literals and operators. */
function checkNode(filter: Filter, environment: QueryEnvironment, path = 'filter'): Result<CheckedNode, NodeFault> {
  return check(filter, {
    environment,
    path,
    depth: 0,
    budget: { comparisons: 0, values: 0, options: 0, operations: 0 },
  })
}

function check(filter: Filter, place: Place): Result<CheckedNode, NodeFault> {
  if ('all' in filter) return checkGroup('all', filter.all, place)
  if ('any' in filter) return checkGroup('any', filter.any, place)
  return 'formula' in filter ? checkFormulaNode(filter, place) : checkComparison(filter, place)
}

function checkGroup(type: 'all' | 'any', parts: readonly Filter[], place: Place): Result<CheckedNode, NodeFault> {
  if (place.depth >= MAX_FILTER_DEPTH) {
    // Errors in a group are reported at the position of its first condition.
    const condition = conditionsOf({ all: parts })[0]
    const message = `Groups are nested deeper than ${MAX_FILTER_DEPTH} levels.`
    return fail({ message, path: place.path, ...(condition && { condition }) })
  }
  const of: CheckedNode[] = []
  for (const [at, part] of parts.entries()) {
    const node = check(part, { ...place, path: `${place.path}.${type}.${at}`, depth: place.depth + 1 })
    if (!node.ok) return node
    of.push(node.value)
  }
  return ok({ type, of })
}

function checkFormulaNode(
  condition: FormulaCondition,
  { environment, budget, path }: Place,
): Result<CheckedNode, NodeFault> {
  const excess = spend(budget, 0)
  const checked =
    excess === undefined ? checkFormulaCondition(condition, environment.home) : fail({ message: excess, position: 0 })
  if (!checked.ok) {
    const { message, position } = checked.fault
    return fail({ message, path, condition, offset: position })
  }
  const linked = fieldsOfLinkedValues(environment.home.collection)
  if (environment.context.isPast === true && storedFieldsAt(checked.value.leaf).some((id) => linked.has(id)))
    return fail({ message: NO_PAST_VALUES, path, condition })
  budget.operations += sizeOf(checked.value.leaf.computed.expression)
  return budget.operations > MAX_FILTER_OPERATIONS
    ? fail({ message: 'The filter has too many functions and operators. Simplify it.', path, condition })
    : checked
}

function checkComparison(comparison: Comparison, place: Place): Result<CheckedNode, NodeFault> {
  const { environment, budget, path } = place
  const reject = ({ part, message }: PartFault) => fail({ message, path, condition: comparison, part })

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

type PartFault = { readonly part: 'field' | 'op' | 'value'; readonly message: string }

const comparesFields = (comparison: Comparison): comparison is FieldComparison =>
  isFieldOperand(comparison.value) && OPERATOR_RULES[comparison.op].takes === 'one'

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
    return fail({ part: 'value', message: `Expected ${SHAPE_LABELS[OPERATOR_RULES[op].takes]} after ${op}.` })

  const test = resolveTest(source.leaf, op, literalsOf(comparison), environment.context)
  return test.ok
    ? ok({ type: 'compare', ...visibleRelation(source, environment), ...test.value })
    : fail({ part: 'value', message: `“${field}”: ${test.fault}` })
}

function optionsIn(node: CheckedNode): number {
  if (node.type === 'pair') return (node.left.options?.length ?? 0) + (node.right.options?.length ?? 0)
  return node.type === 'compare' && node.test.is === 'oneOf' ? node.test.values.length : 0
}

/** Text operators on a relation compare the titles of linked records; undefined if titles are hidden. */
function sourceFor({ op }: Comparison, source: Source, environment: QueryEnvironment): Source | undefined {
  return readsText(op) && operandShape(kindOfLeaf(source.leaf)) === 'record'
    ? resolveTitle(source, environment)
    : source
}

/** Error for a comparison that uses hidden titles. */
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
    ? `The conditions match more than ${MAX_FILTER_OPTIONS} options in total.`
    : undefined
}

/** JSON trees can combine any operator with any value; filter text can't. */
function hasShape(shape: ValueShape, value: Comparison['value']): boolean {
  if (shape === 'nothing') return value === undefined
  if (shape === 'one') return value !== undefined && !isList(value)
  return value !== undefined && isList(value) && (shape === 'list' || value.length === 2)
}

const SHAPE_LABELS: { readonly [Shape in ValueShape]: string } = {
  nothing: 'no value',
  one: 'one value',
  list: 'a list of values',
  pair: 'a pair of values',
}
