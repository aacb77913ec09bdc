import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { checkNode, type NodeFault } from './check-node.ts'
import { type CheckedFilter, type CheckedNode, NO_RECORDS } from './checked-filter.ts'
import type { Filter } from './filter.ts'
import { type ParsedFilter, parseFilter } from './parse-filter.ts'
import { invalidQuery, type QueryContext, type QueryFault } from './query-context.ts'
import { fullyVisible, type QueryEnvironment, type VisibleCollection } from './query-environment.ts'

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
