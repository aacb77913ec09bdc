import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { ALL_RECORDS, type CheckedFilter, type CheckedNode, NO_RECORDS, type Source } from './checked-filter.ts'
import { type Comparison, type Filter, isFieldOperand, isList, literalsOf } from '../filter/filter.ts'
import { type ParsedFilter, parseFilter } from '../filter/parse-filter.ts'
import {
  type QueryContext,
  type QueryEnvironment,
  type QueryFault,
  type VisibleCollection,
  fullyVisible,
  invalidQuery,
} from './query-context.ts'
import { type FieldComparison, checkPair } from './check-field-comparison.ts'
import { resolveTest } from './resolve-test.ts'
import { OPERATOR_RULES, type ValueShape, cannotCompare, readsText, takesKind } from '../filter/operators.ts'
import { MAX_COMPARISONS, MAX_FILTER_DEPTH, MAX_FILTER_OPTIONS, MAX_FILTER_VALUES } from '../query-limits.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { resolvePath, resolveTitle, visibleRelation } from './resolve-path.ts'

const NO_CONDITIONS: ReadonlyMap<FieldId, Filter> = new Map()

/** Proves that a filter, as text or as a tree, fits its collection and names only what the actor may read. */
export function checkFilter(filter: string | Filter, context: QueryContext): Result<CheckedFilter, QueryFault> {
  const environment = environmentOfActor(context)
  return environment ? checkFilterIn(environment, filter) : ok(markChecked(NO_RECORDS))
}

/** The same where the surroundings are already known. */
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
 * Checks a rule, such as a grant's condition. It may use fields and records the actor cannot read, and uses the
 * workspace time zone. A rule that no longer fits its collection matches nothing, and its text is never shown.
 */
export function checkStoredFilter(filter: Filter, context: QueryContext): CheckedFilter {
  const node = checkNode(filter, environmentOfRules(context))
  return markChecked(node.ok ? node.value : NO_RECORDS)
}

/** All of several checked filters at once. */
export const joinChecked = (...filters: readonly CheckedFilter[]): CheckedFilter => {
  const parts = filters.filter((filter) => filter.type !== 'all' || filter.of.length > 0)
  const [only] = parts
  return parts.length === 1 && only ? only : markChecked({ type: 'all', of: parts })
}

/** Most ids one comparison names here: a rule is bound like every other filter. */
const IDS_PER_COMPARISON = 1000

/** The records of these ids and no others, however many they are. */
export function checkIds(ids: readonly RecordId[], context: QueryContext): CheckedFilter {
  const parts: CheckedFilter[] = []
  for (let at = 0; at < ids.length; at += IDS_PER_COMPARISON) {
    parts.push(checkStoredFilter({ field: 'id', op: 'in', value: ids.slice(at, at + IDS_PER_COMPARISON) }, context))
  }
  return markChecked({ type: 'any', of: parts })
}

/** Marks a tree as proven; for the checkers of this folder, which built it from resolved parts. */
// The only place where the brand is given; no value can carry it by itself.
export const markChecked = (node: CheckedNode): CheckedFilter => node as CheckedFilter

/** Every record, as a checked filter. */
export const UNFILTERED: CheckedFilter = markChecked({ type: 'all', of: [] })

/** What the actor may see of the collection and of those its relations lead to; undefined if nothing at all. */
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

  const there = { ...context, collection }
  const visible = decision.where === undefined ? null : checkStoredFilter(decision.where, there)
  const readableIn = partlyReadable(decision.partlyHidden ?? NO_CONDITIONS, there)
  return { collection, hiddenFields: decision.hiddenFields, readableIn, visible }
}

/** The conditions of partly hidden fields; each is checked once, on first use. */
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

/** Rules see everything and live by the workspace's calendar: the workspace made them, not the actor. */
export function environmentOfRules(context: QueryContext): QueryEnvironment {
  const collectionFor = (id: CollectionId): VisibleCollection | undefined => {
    const collection = id === context.collection.id ? context.collection : context.collectionOf(id)
    return collection && fullyVisible(collection)
  }
  const inWorkspaceZone = { ...context, timeZone: context.workspaceTimeZone }
  return { context: inWorkspaceZone, home: fullyVisible(context.collection), collectionFor }
}

function toQueryFault(fault: NodeFault, { places }: ParsedFilter, isText: boolean): QueryFault {
  const place = fault.comparison && places.get(fault.comparison)
  const position = place?.[fault.part ?? 'field']
  if (!isText) return { code: 'invalid-filter', message: fault.message, path: fault.path }
  return {
    code: 'invalid-filter',
    message: withPosition(fault.message, position),
    path: 'filter',
    ...(position === undefined ? {} : { position }),
  }
}

/** People count characters from one. */
export const withPosition = (message: string, position: number | undefined): string =>
  position === undefined ? message : `At character ${position + 1}: ${message}`

/**
 * The filter that passes exactly the records another one does not. A checked comparison and its negation part all
 * records between them, empty values included, so a whole tree is negated by negating its leaves.
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
function checkNode(filter: Filter, environment: QueryEnvironment, path = 'filter'): Result<CheckedNode, NodeFault> {
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
