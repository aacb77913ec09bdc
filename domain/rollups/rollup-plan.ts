import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { relationOf } from '#domain/collections/reverse-side.ts'
import {
  type Field,
  hasSelectOptions,
  isRollup,
  type RollupInputs,
  type RollupFunction,
  type RollupKind,
  type RollupOptions,
} from '#domain/fields/field.ts'
import { call, type Expression, readsClock } from '#domain/formulas/expression.ts'
import { expressionOf, directInputs, sourceOf } from '#domain/formulas/formula-fields.ts'
import { isFormula, linkedValuesOf, rollupsIn } from '#domain/formulas/value-field.ts'
import { formulaInputs } from '#domain/formulas/formula-inputs.ts'
import {
  ALL_RECORDS,
  type CheckedNode,
  computedAt,
  conditionsIn,
  isClock,
  type Leaf,
  sourcesOf,
  type Step,
  storedFieldsAt,
} from '#domain/query/check/checked-filter.ts'
import { checkFilterIn, environmentOfRules } from '#domain/query/check/check-filter.ts'
import { type Filter, literalsOf, pathsOf } from '#domain/query/filter/filter.ts'
import { readsText, operandShape } from '#domain/query/filter/operators.ts'
import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import { comparisonsOf, partsOfPath } from '#domain/query/filter/saved-filter.ts'
import { MAX_PATH_RELATIONS } from '#domain/query/query-limits.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { type PartProblem, partProblem } from '#domain/shared/problem.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'

/** How the values of a lookup, count or rollup are computed. */
export type RollupPlan = {
  readonly field: Field<RollupKind>
  readonly home: CollectionId
  readonly steps: readonly Step[]
  /** The collection at the end of the path. */
  readonly target: CollectionId
  /** The summarized value of a linked record; null: the record itself is counted. */
  readonly source: Expression | null
  /** Which linked records are included. */
  readonly where: CheckedNode
  /** Stored and system fields of the linked records on which the value depends. */
  readonly reads: ReadonlySet<string>
}

/** The collections whose records a plan reads, in the order of its path. */
export const collectionsOfPlan = ({ home, steps }: RollupPlan): readonly CollectionId[] => [
  home,
  ...steps.map(({ into }) => into),
]

/** The relations that a plan follows, and the fields of linked records that it reads. */
export const fieldsOfPlan = ({ steps, reads }: RollupPlan): readonly string[] => [
  ...steps.map(({ relation }) => relation.id),
  ...reads,
]

export type RollupContext = {
  /** The collection that contains the field. */
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  /** Of the workspace; formulas and filters use it for dates. */
  readonly timeZone: string
}

type Planned<Value> = Result<Value, PartProblem>

type Definition = Pick<RollupOptions, 'path' | 'field' | 'function' | 'filter'>

const reject = (option: keyof Definition, code: string, message: string) =>
  fail(partProblem(`options.${option}`, code, message))

/** The filter of a definition; stored filters have been checked. */
export const rollupFilter = ({ filter }: Pick<RollupOptions, 'filter'>): Filter | undefined =>
  filter as Filter | undefined

/** Resolves a stored definition, which refers to fields by ID. */
export function rollupPlan(field: Field<RollupKind>, context: RollupContext): Planned<RollupPlan> {
  const { options } = field
  const route = stepsOf(options.path, context)
  if (!route.ok) return route
  const { steps, target } = route.value
  const source = sourceExpression(options, target)
  if (!source.ok) return source
  const filter = rollupFilter(options)
  const where = filter === undefined ? ok(ALL_RECORDS) : checkRollupFilter(filter, target, context)
  if (!where.ok) return where
  const reads = new Set([...(source.value === null ? [] : inputNames(source.value)), ...fieldsIn(where.value)])
  const home = context.collection.id
  return ok({ field, home, steps, target: target.id, source: source.value, where: where.value, reads })
}

type Route = { readonly steps: readonly Step[]; readonly target: Collection }

/** Follows relations and reverse sides, given by ID. */
export function stepsOf(path: readonly FieldId[], context: RollupContext): Planned<Route> {
  if (path.length === 0) return reject('path', 'required', 'Choose a linked record field.')
  if (path.length > MAX_PATH_RELATIONS)
    return reject('path', 'too-long', `A path can contain at most ${MAX_PATH_RELATIONS} linked record fields.`)
  let target = context.collection
  const steps: Step[] = []
  for (const id of path) {
    const step = stepOf(fieldById(target, id), context)
    const next = step && collectionIn(context, step.into)
    if (!step || !next) return reject('path', 'unknown-relation', 'Choose a linked record field.')
    steps.push(step)
    target = next
  }
  return ok({ steps, target })
}

const collectionIn = ({ collection, collectionOf }: RollupContext, id: CollectionId): Collection | undefined =>
  id === collection.id ? collection : collectionOf(id)

function stepOf(field: Field | undefined, context: RollupContext): Step | undefined {
  if (field?.kind === 'relation')
    return { relation: field, isReverse: false, readable: null, into: field.options.collection, visible: null }
  if (field?.kind !== 'reverse') return undefined
  const source = collectionIn(context, field.options.collection)
  const relation = source && relationOf(field, source)
  return relation && { relation, isReverse: true, readable: null, into: field.options.collection, visible: null }
}

/** A count counts records. A lookup shows the value of one record, or those of several as a text. */
export function functionOf(kind: RollupKind, given: RollupFunction | undefined, isOne: boolean): RollupFunction {
  if (kind === 'count') return 'count'
  return kind === 'lookup' ? (isOne ? 'first' : 'join') : (given ?? 'sum')
}

/** Whether a path leads to at most one record. */
export const isSingle = (steps: readonly Step[]): boolean =>
  steps.every(({ relation, isReverse }) => (isReverse ? relation.unique : !relation.options.many))

function sourceExpression(
  { field: id, function: name }: Definition,
  target: Collection,
): Planned<RollupPlan['source']> {
  if (id === undefined) return ok(null)
  const field = fieldById(target, id)
  if (!field) return reject('field', 'unknown-field', 'Choose a field of the linked records.')
  const source = isFormula(field) ? ok(expressionOf(target, field)) : sourceOf(field)
  if (!source.ok) return reject('field', 'unsupported-field', `The values of “${field.label}” can’t be used here.`)
  if (readsClock(source.value)) return reject('field', 'reads-clock', clockMessage(field.label))
  return ok(name === 'join' ? asText(source.value) : source.value)
}

const clockMessage = (label: string): string =>
  `“${label}” depends on the current time, so its values can’t be stored. Choose another field.`

/** Texts of values, as in formulas. */
function asText(source: Expression): Expression {
  if (source.type === 'number') return call('text', 'numberText', source)
  if (source.type === 'boolean') return call('text', 'booleanText', source)
  return source.type === 'text' ? source : call('text', 'timeText', source)
}

/** Names of users and files, titles and the current time can change without a change of the linked record. */
function checkRollupFilter(filter: Filter, target: Collection, context: RollupContext): Planned<CheckedNode> {
  const { timeZone } = context
  const collectionOf = (id: CollectionId): Collection | undefined => collectionIn(context, id)
  const checked = checkFilterIn(
    environmentOfRules({
      collection: target,
      collectionOf,
      decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
      now: new Date(0),
      timeZone,
      workspaceTimeZone: timeZone,
      actorId: null,
    }),
    filter,
  )
  if (!checked.ok) return reject('filter', 'invalid-filter', checked.fault.message)
  const fault = filterFault(filter, checked.value, { collection: target, collectionOf })
  return fault === undefined ? checked : reject('filter', 'unsupported-filter', fault)
}

function filterFault(filter: Filter, node: CheckedNode, place: Parameters<typeof partsOfPath>[1]): string | undefined {
  for (const comparison of comparisonsOf(filter)) {
    const leaves = pathsOf(comparison).map((path) => partsOfPath(path, place)?.at(-1)?.leaf)
    const shapes = leaves.map((leaf) => (leaf ? operandShape(kindOfLeaf(leaf)) : undefined))
    const isTime = shapes[0] === 'date' || shapes[0] === 'date-time' || shapes[0] === 'person'
    const hasMarker = literalsOf(comparison).some(
      (literal) => typeof literal === 'object' || (isTime && String(literal).startsWith('@')),
    )
    if (hasMarker) return 'The filter can’t use @me, @now or @today, because the values are stored. Use a fixed value.'
    if (readsText(comparison.op) && shapes.some((shape) => shape === 'person' || shape === 'file'))
      return 'The filter can’t compare names of users or files, because the values are stored.'
  }
  const sources = conditionsIn(node).flatMap(sourcesOf)
  if (sources.some(({ steps }) => steps.length > 0)) return ONLY_OWN_FIELDS
  const clock = sources.map(({ leaf }) => leaf).find(isClock)
  return clock && clockMessage(clock.type === 'field' ? clock.field.label : '')
}

export const ONLY_OWN_FIELDS = 'The filter can only use fields of the linked records themselves.'

const inputNames = (expression: Expression): readonly string[] =>
  formulaInputs(expression).map((input) => (input.node === 'field' ? input.field.id : input.field))

const fieldsIn = (node: CheckedNode): readonly string[] =>
  conditionsIn(node)
    .flatMap(sourcesOf)
    .flatMap(({ leaf }) => [...(leaf.type === 'system' ? [leaf.field] : storedFieldsAt(leaf)), ...inputNamesAt(leaf)])

function inputNamesAt(leaf: Leaf): readonly string[] {
  const computed = computedAt(leaf)
  return computed ? inputNames(computed.expression) : []
}

/** A field with the collection that contains it. */
export type FieldPlace = { readonly collection: Collection; readonly field: Field }

/** The fields from which a calculated field is directly computed; empty while its definition isn't valid. */
export function directInputsOf({ collection, field }: FieldPlace, context: RollupContext): readonly FieldPlace[] {
  if (isRollup(field)) return inputsOfRollup(field, { ...context, collection })
  if (!isFormula(field)) return []
  const linked = linkedValuesOf(field).flatMap((value) => inputsOfRollup(value, { ...context, collection }))
  return [...placesIn(collection, directInputs(field)), ...linked]
}

function inputsOfRollup(field: Field<RollupKind>, context: RollupContext): readonly FieldPlace[] {
  const { path, field: summarized } = field.options
  const filter = rollupFilter(field.options)
  const route = stepsOf(path, context)
  if (!route.ok) return []
  const { steps, target } = route.value
  const filtered = (filter === undefined ? [] : comparisonsOf(filter)).flatMap(pathsOf)
  let owner = context.collection
  const relations = steps.flatMap(({ relation, isReverse, into }) => {
    const next = collectionIn(context, into) ?? owner
    const place = placesIn(isReverse ? next : owner, [relation.id])
    owner = next
    return place
  })
  return [...relations, ...placesIn(target, [...(summarized === undefined ? [] : [summarized]), ...filtered])]
}

const placesIn = (collection: Collection, ids: readonly FieldId[]): readonly FieldPlace[] =>
  collection.fields.filter(({ id }) => ids.includes(id)).map((field) => ({ collection, field }))

/**
 * All fields whose values a lookup, count or rollup discloses, by collection, except the relation of its own record with
 * which the path starts. Includes each collection on the path, because the value discloses its records.
 */
export function disclosedBy(field: Field<RollupKind>, context: RollupContext): readonly RollupInputs[] | undefined {
  const plan = rollupPlan(field, context)
  if (!plan.ok) return undefined
  const fields = new Map<CollectionId, Set<FieldId>>(plan.value.steps.map(({ into }) => [into, new Set<FieldId>()]))
  const open: FieldPlace[] = [...inputsOfRollup(field, context)]
  if (plan.value.steps[0]?.isReverse === false) open.shift()
  for (const place of open) {
    const known = fields.get(place.collection.id) ?? new Set<FieldId>()
    if (known.has(place.field.id)) continue
    fields.set(place.collection.id, known.add(place.field.id))
    open.push(...directInputsOf(place, context))
    const passed = collectionsOnPath(place, context).filter((into) => !fields.has(into))
    for (const into of passed) fields.set(into, new Set())
  }
  return [...fields].map(([collection, ids]) => ({ collection, fields: [...ids] }))
}

const collectionsOnPath = ({ collection, field }: FieldPlace, context: RollupContext): readonly CollectionId[] =>
  rollupsIn([field]).flatMap(({ options }) => {
    const route = stepsOf(options.path, { ...context, collection })
    return route.ok ? route.value.steps.map(({ into }) => into) : []
  })

/** Everything that determines the values of a plan; names and labels of fields don't. */
export function planSignature({ field, steps, source, where }: RollupPlan, timeZone: string): string {
  const parts = { function: field.options.function, result: field.options.result, steps, source, where, timeZone }
  return JSON.stringify(parts, (_, value: unknown) => (isField(value) ? signedParts(value) : value))
}

const isField = (value: unknown): value is Field =>
  typeof value === 'object' && value !== null && 'kind' in value && 'label' in value

const signedParts = (field: Field) => [
  field.id,
  field.kind,
  ...(field.kind === 'relation' ? [field.options.many] : []),
  ...(hasSelectOptions(field) ? field.options.choices.map(({ id, name }) => [id, name]) : []),
]
