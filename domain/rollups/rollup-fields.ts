import { type Collection, findField } from '#domain/collections/collection.ts'
import {
  type Field,
  type FormulaResult,
  isRollup,
  type LinkedValue,
  type NumberOptions,
  type RollupFunction,
  type RollupInputs,
  type RollupKind,
  type RollupOptions,
} from '#domain/fields/field.ts'
import type { OptionsDraft } from '#domain/fields/field-options.ts'
import { resultKind } from '#domain/formulas/formula-fields.ts'
import { isSystemField } from '#domain/fields/system-fields.ts'
import { type Filter, pathsOf } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { comparisonsOf, filterById } from '#domain/query/filter/saved-filter.ts'
import { withPosition } from '#domain/query/check/check-filter.ts'
import { isFormula, rollupsIn } from '#domain/formulas/value-field.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { type PartProblem, partProblem } from '#domain/shared/problem.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import {
  disclosedBy,
  functionOf,
  isSingle,
  ONLY_OWN_FIELDS,
  type RollupContext,
  type RollupPlan,
  rollupPlan,
  stepsOf,
} from './rollup-plan.ts'
import { resultOf } from './summarize.ts'

export type RollupAuthor = {
  /** Whether the author can read a field in all records of a collection; without a field, all records. */
  readonly reads: (collection: CollectionId, field?: FieldId) => boolean
}

type Checked<Value> = Result<Value, readonly PartProblem[]>

const reject = (option: string, code: string, message: string) =>
  fail([partProblem(`options.${option}`, code, message)])

/**
 * A new definition, whose fields are given by name or ID. Fields that the author can't read in all records don't exist,
 * because the values disclose them.
 */
export function checkRollupField(
  kind: RollupKind,
  draft: OptionsDraft,
  field: Pick<Field, 'id' | 'name' | 'label'>,
  context: RollupContext & RollupAuthor,
): Checked<RollupOptions> {
  const path = pathOf(draft.path ?? [], context)
  if (!path.ok) return path
  const { ids, target, isOne } = path.value
  const summarized = kind === 'count' ? ok(undefined) : summarizedField(draft.field, target, context)
  if (!summarized.ok) return summarized
  const filter = filterOf(draft.filter, target, context)
  if (!filter.ok) return filter
  const options: RollupOptions = {
    path: ids,
    ...(summarized.value !== undefined && { field: summarized.value }),
    function: functionOf(kind, draft.function, isOne),
    ...(filter.value !== undefined && { filter: filter.value }),
    result: 'number',
  }
  return inferred({ ...field, kind, required: false, unique: false, default: null, options }, context)
}

type DraftPath = { readonly ids: readonly FieldId[]; readonly target: Collection; readonly isOne: boolean }

export function pathOf(names: readonly string[], context: RollupContext & RollupAuthor): Checked<DraftPath> {
  const ids: FieldId[] = []
  let route = stepsOf([], context)
  for (const name of names) {
    const from: Collection = route.ok ? route.value.target : context.collection
    const found = visibleField(from, name, context)
    route = stepsOf([...ids, found?.id ?? ''], context)
    const into = route.ok ? route.value.steps.at(-1)?.into : undefined
    if (!found || into === undefined || !context.reads(into))
      return reject('path', 'unknown-relation', `“${name}” isn’t a linked record field of ${from.label}.`)
    ids.push(found.id)
  }
  if (!route.ok) return fail([route.fault])
  return ok({ ids, target: route.value.target, isOne: isSingle(route.value.steps) })
}

function visibleField(collection: Collection, name: string, { reads }: RollupAuthor): Field | undefined {
  const found = findField(collection, name)
  return found && reads(collection.id, found.id) ? found : undefined
}

export function summarizedField(
  name: string | undefined,
  target: Collection,
  author: RollupAuthor,
): Checked<FieldId | undefined> {
  if (name === undefined || name === '') return reject('field', 'required', 'Choose a field of the linked records.')
  const found = visibleField(target, name, author)
  return found ? ok(found.id) : reject('field', 'unknown-field', `There is no field “${name}” in ${target.label}.`)
}

function filterOf(
  given: OptionsDraft['filter'],
  target: Collection,
  context: RollupContext & RollupAuthor,
): Checked<Filter | undefined> {
  if (given === undefined || (typeof given === 'string' && given.trim() === '')) return ok(undefined)
  // The shape of trees has been checked with the request.
  const parsed = typeof given === 'string' ? parseFilter(given) : ok({ filter: given as unknown as Filter })
  if (!parsed.ok) return reject('filter', 'invalid-filter', withPosition(parsed.fault.message, parsed.fault.position))
  const { filter } = parsed.value
  if (comparisonsOf(filter).length === 0) return ok(undefined)
  const visible = { ...target, fields: target.fields.filter(({ id }) => context.reads(target.id, id)) }
  const paths = comparisonsOf(filter).flatMap(pathsOf)
  if (paths.some((path) => path.includes('.'))) return reject('filter', 'unsupported-filter', ONLY_OWN_FIELDS)
  // Hidden fields must not be found by name later.
  const name = paths.find((path) => !isSystemField(path) && !findField(visible, path))
  if (name !== undefined) return reject('filter', 'invalid-filter', `There is no field “${name}” in ${target.label}.`)
  return ok(filterById(filter, { collection: visible, collectionOf: () => undefined }))
}

export function inferred(field: Field<RollupKind>, context: RollupContext & RollupAuthor): Checked<RollupOptions> {
  const plan = rollupPlan(field, context)
  if (!plan.ok) return fail([plan.fault])
  const result = resultOfPlan(plan.value)
  if (result === undefined)
    return reject('function', 'unsupported-function', 'This function can’t summarize the values of the chosen field.')
  const inputs = disclosedBy(field, context) ?? []
  const isRead = inputs.every((each) => isReadBy(context, each))
  return isRead ? ok({ ...field.options, result, inputs }) : reject('field', 'unreadable', UNREADABLE)
}

const UNREADABLE = 'The field would show values that you can’t read in all records. Ask an owner.'

export const isReadBy = ({ reads }: RollupAuthor, { collection, fields }: RollupInputs): boolean =>
  reads(collection) && fields.every((field) => reads(collection, field))

export function resultOfPlan({ field, source }: RollupPlan): FormulaResult | undefined {
  return resultOf(field.options.function, source === null ? 'checkbox' : resultKind(source))
}

/** Definitions in which the inputs of rollups and of values of linked records in formulas are inferred, so that access to them can be decided. */
export function withRollupInputs(collections: readonly Collection[], timeZone: string): readonly Collection[] {
  if (!collections.some(({ fields }) => rollupsIn(fields).length > 0)) return collections
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  const context = { collectionOf: (id: CollectionId) => byId.get(id), timeZone }
  return collections.map((collection) => {
    if (rollupsIn(collection.fields).length === 0) return collection
    const inferring = { ...context, collection }
    const fields = collection.fields.map((field): Field => {
      if (isFormula(field) && field.options.linked !== undefined)
        return { ...field, options: { ...field.options, linked: field.options.linked.map(withInputsOf(inferring)) } }
      return isRollup(field) ? withInputs(field, inferring) : field
    })
    return { ...collection, fields }
  })
}

const withInputsOf =
  (context: RollupContext) =>
  (value: LinkedValue): LinkedValue => {
    const field = { ...value, name: '', label: '', required: false, unique: false, default: null } as const
    return { ...value, options: withInputs(field, context).options }
  }

function withInputs(field: Field<RollupKind>, context: RollupContext): Field<RollupKind> {
  const { inputs: _, number: __, ...options } = field.options
  const inputs = disclosedBy(field, context)
  const number = numberFormat(field, context)
  return { ...field, options: { ...options, ...(inputs && { inputs }), ...(number && { number }) } }
}

/** Functions whose results have the unit of the summarized numbers. */
const KEEPS_UNIT: ReadonlySet<RollupFunction> = new Set(['sum', 'avg', 'min', 'max', 'first', 'last'])

/** How numbers of the summarized field are displayed; sums of ratings and of progress are plain numbers. */
function numberFormat({ options }: Field<RollupKind>, context: RollupContext): NumberOptions | undefined {
  const route = stepsOf(options.path, context)
  const source = route.ok ? route.value.target.fields.find(({ id }) => id === options.field) : undefined
  if (source?.kind !== 'number' || !KEEPS_UNIT.has(options.function)) return undefined
  const { min: _, max, ...format } = source.options
  const isScale = format.format === 'rating' || format.format === 'progress'
  if (!isScale) return format
  return options.function === 'sum' ? undefined : { ...format, ...(max !== undefined && { max }) }
}
