import type { Collection } from '#domain/collections/collection.ts'
import {
  type Field,
  type FieldKind,
  type FormulaResult,
  isRollup,
  linkedCollection,
  type LinkedValue,
  type RollupFunction,
  type RollupKind,
} from '#domain/fields/field.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { type CollectionId, ID_PATTERN, type FieldId } from '#domain/shared/ids.ts'
import { checkFormula, type FindLinked, type FormulaScope } from './check-formula.ts'
import { emptyConstant, type Expression, type FormulaType } from './expression.ts'
import type { Token } from '#domain/query/filter/tokens.ts'
import { formulaTokens } from './parse-formula.ts'
import type { FormulaFault } from './typing.ts'
import { type ComputedField, isComputed, isFormula, linkedValuesOf, rollupsIn, valueField } from './value-field.ts'

type FormulaField = Field<'formula'>

type Fields = Pick<Collection, 'fields'>

const RESULT_KINDS: { readonly [Type in FormulaType]: FormulaResult } = {
  number: 'number',
  text: 'text',
  boolean: 'checkbox',
  date: 'date',
  'date-time': 'date-time',
}

export const RESULT_TYPES: { readonly [Kind in FormulaResult]: FormulaType } = {
  number: 'number',
  text: 'text',
  checkbox: 'boolean',
  date: 'date',
  'date-time': 'date-time',
}

/** Types of the fields that formulas can read; options are read by name. */
const READABLE_TYPES: { readonly [Kind in FieldKind]?: FormulaType } = {
  text: 'text',
  'long-text': 'text',
  email: 'text',
  url: 'text',
  phone: 'text',
  select: 'text',
  state: 'text',
  number: 'number',
  'auto-number': 'number',
  checkbox: 'boolean',
  date: 'date',
  'date-time': 'date-time',
}

const SYSTEM_SOURCES: { readonly [name: string]: Expression } = {
  id: { node: 'system', type: 'text', field: 'id' },
  createdAt: { node: 'system', type: 'date-time', field: 'createdAt' },
  updatedAt: { node: 'system', type: 'date-time', field: 'updatedAt' },
}

/** What a formula in a collection can refer to. `isVisible` hides fields from the author of a formula. */
export function formulaScope(
  collection: Fields,
  formulaOf: (field: FormulaField) => Result<Expression, string>,
  isVisible: (field: Field) => boolean = () => true,
  findLinked?: FindLinked,
): FormulaScope {
  const visible = collection.fields.filter(isVisible)
  const find = (name: string): Field | undefined =>
    visible.find((field) => field.name === name) ?? visible.find((field) => field.id === name)
  return {
    find: (name) => {
      if (Object.hasOwn(SYSTEM_SOURCES, name)) return ok(SYSTEM_SOURCES[name] ?? EMPTY)
      const field = find(name)
      return field && (isFormula(field) ? formulaOf(field) : sourceOf(field))
    },
    names: [...visible.map(({ name }) => name), ...Object.keys(SYSTEM_SOURCES)],
    findLinked,
  }
}

const EMPTY: Expression = { node: 'constant', type: 'text', value: '' }

/** The stored value of a field; rollups are stored as well. */
export function sourceOf(stored: Field): Result<Expression, string> {
  const field = valueField(stored)
  const type = READABLE_TYPES[field.kind]
  if (type !== undefined) return ok({ node: 'field', type, field })
  if (linkedCollection(field) !== undefined)
    return fail(
      `“${field.name}” leads to linked records. Use one of their fields, such as ${field.name}.name, or count(${field.name}).`,
    )
  return fail(`“${field.name}” contains values that formulas can’t use.`)
}

type Formulas = ReadonlyMap<FieldId, Result<Expression, FormulaFault>>

const formulasOf = new WeakMap<Fields['fields'], Formulas>()

/** Checked formulas of a collection, in which formula fields are replaced by their formulas. */
export function collectionFormulas({ fields }: Fields): Formulas {
  const known = formulasOf.get(fields)
  if (known) return known
  const checked = new Map<FieldId, Result<Expression, FormulaFault>>()
  const expansion: Expansion = { fields, checked, path: [], cycles: new Set() }
  for (const field of fields) if (isFormula(field)) expandFormula(field, expansion)
  formulasOf.set(fields, checked)
  return checked
}

type Expansion = Fields & {
  readonly checked: Map<FieldId, Result<Expression, FormulaFault>>
  readonly path: readonly FormulaField[]
  /** Messages about cycles, which are passed on to every formula of the cycle. */
  readonly cycles: Set<string>
}

function expandFormula(field: FormulaField, expansion: Expansion): Result<Expression, FormulaFault> {
  const { fields, checked, path, cycles } = expansion
  const known = checked.get(field.id)
  if (known) return known
  if (path.includes(field)) {
    const message = cycleMessage(path.slice(path.indexOf(field)), field)
    cycles.add(message)
    return fail({ message, position: 0, end: 0 })
  }
  const inside: Expansion = { ...expansion, path: [...path, field] }
  const formulaOf = (other: FormulaField): Result<Expression, string> => {
    const expanded = expandFormula(other, inside)
    if (expanded.ok) return expanded
    const { message } = expanded.fault
    return fail(cycles.has(message) ? message : `The formula “${other.label}” isn’t valid.`)
  }
  const scope = formulaScope({ fields }, formulaOf, () => true, storedLinked(field))
  const result = checkFormula(field.options.formula, scope)
  checked.set(field.id, result)
  return result
}

/** The values of linked records that are stored with a formula, which names their paths by ID. */
const storedLinked =
  (field: FormulaField): FindLinked =>
  (path, summarizes) => {
    const key = linkedKey(path, summarizes)
    const found = linkedValuesOf(field).find((value) => keyOfLinked(value) === key)
    if (found) return sourceOf(found)
    return path.length > 1 ? fail('The linked record field is missing.') : undefined
  }

const linkedKey = (path: readonly string[], summarizes: RollupFunction | undefined): string =>
  [summarizes ?? 'only', ...path].join('.')

/** Equal for values that are calculated in the same way. */
export function keyOfLinked({ kind, options }: Pick<Field<RollupKind>, 'kind' | 'options'>): string {
  const { path, field, function: summarizes } = options
  return linkedKey(field === undefined ? path : [...path, field], kind === 'lookup' ? undefined : summarizes)
}

function cycleMessage(path: readonly FormulaField[], last: FormulaField): string {
  const cycle = [...path, last].map(({ label }) => label).join(' → ')
  return `A formula can’t refer to itself: ${cycle}.`
}

/** The checked formula of a field; empty while it isn't valid. */
export function expressionOf(collection: Fields, field: FormulaField): Expression {
  const formula = collectionFormulas(collection).get(field.id)
  if (formula?.ok === true && resultKind(formula.value) === field.options.result) return formula.value
  return emptyConstant(RESULT_TYPES[field.options.result])
}

export const resultKind = ({ type }: Expression): FormulaResult => (type === 'wall' ? 'date-time' : RESULT_KINDS[type])

/** What a new formula can refer to, and what its author can read of it. */
export type FormulaContext = {
  /** The other fields of the collection. */
  readonly siblings: readonly Field[]
  readonly isVisible: (field: Field) => boolean
  readonly collectionOf: (id: CollectionId) => Fields | undefined
  /** Undefined if the path doesn't lead to linked records. */
  readonly linkedValue: (
    path: readonly string[],
    summarizes: RollupFunction | undefined,
  ) => Result<LinkedValue, string> | undefined
}

/** A formula field with a new formula, whose result is inferred; `field` is only used for its name and ID. */
export function checkFormulaField(
  formula: string,
  field: Pick<Field, 'id' | 'name' | 'label'>,
  context: FormulaContext,
): Result<FormulaField['options'], FormulaFault> {
  const { siblings, isVisible, collectionOf, linkedValue } = context
  const withOptions = (options: FormulaField['options']): FormulaField => ({
    ...field,
    kind: 'formula',
    required: false,
    unique: false,
    default: null,
    options,
  })
  const draft = { fields: [withOptions({ formula: '', result: 'text' }), ...siblings] }
  const stored = formulaById(formula, draft, collectionOf)
  const found = new Map<FieldId, LinkedValue>()
  const findLinked: FindLinked = (path, summarizes) => {
    const value = linkedValue(path, summarizes)
    if (!value?.ok) return value
    found.set(value.value.id, value.value)
    const [stored] = linkedValuesOf(withOptions({ formula: '', result: 'text', linked: [value.value] }))
    return stored && sourceOf(stored)
  }
  const optionsWith = (result: FormulaResult): FormulaField['options'] => ({
    formula: stored,
    result,
    ...(found.size > 0 && { linked: [...found.values()] }),
  })
  // Formulas that refer to this one can be checked only with its values of linked records.
  checkFormula(formula, formulaScope(draft, typedConstant, isVisible, findLinked))
  const all = { fields: [withOptions(optionsWith('text')), ...siblings] }
  const formulas = collectionFormulas(all)
  const formulaOf = (other: FormulaField): Result<Expression, string> => {
    const known = formulas.get(other.id)
    return known?.ok === true ? known : fail(known?.fault.message ?? '')
  }
  // Positions refer to the written formula, in which fields are named.
  const written = checkFormula(formula, formulaScope(all, formulaOf, isVisible, findLinked))
  return written.ok ? ok(optionsWith(resultKind(written.value))) : written
}

const typedConstant = ({ options }: FormulaField): Result<Expression, string> =>
  ok(emptyConstant(RESULT_TYPES[options.result]))

const KEYWORDS = new Set(['true', 'false', 'is', 'not', 'empty', 'in', 'between', 'and'])

/** IDs of the fields to which a stored formula refers. */
export const directInputs = ({ options }: FormulaField): readonly FieldId[] => idsInFormula(options.formula)

export const idsInFormula = (text: string): readonly FieldId[] =>
  namesInFormula(text).filter((name) => ID_PATTERN.test(name))

/** Names or IDs of the fields in a formula. */
export function namesInFormula(text: string): readonly string[] {
  const tokens = formulaTokens(text)
  if (!tokens.ok) return []
  return [...new Set(tokens.value.filter((_, at) => isReference(tokens.value, at)).map((token) => token.text))]
}

function isReference(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  return token?.type === 'word' && !KEYWORDS.has(token.text.toLowerCase()) && tokens[at + 1]?.text !== '('
}

/** Also those of the formula fields to which it refers. */
export function allInputs(field: FormulaField, fields: readonly Field[]): readonly FieldId[] {
  const found = new Set<FieldId>()
  const open: FormulaField[] = [field]
  for (const next of open) {
    for (const id of directInputs(next)) {
      if (found.has(id)) continue
      found.add(id)
      const input = fields.find((one) => one.id === id)
      if (input && isFormula(input)) open.push(input)
    }
  }
  return [...found]
}

/** IDs of the fields from which the default value of a field is calculated, also through formula fields. */
export function defaultInputs({ defaultFormula = '' }: Field, fields: readonly Field[]): readonly FieldId[] {
  const inputs = namesInFormula(defaultFormula).flatMap((name) => fields.find(({ id }) => id === name) ?? [])
  return [...new Set(inputs.flatMap((input) => [input.id, ...(isFormula(input) ? allInputs(input, fields) : [])]))]
}

/** Lookups, counts and rollups from which a field is calculated, and the values of linked records in its formulas. */
export const rollupsBehind = (field: ComputedField, fields: readonly Field[]): readonly Field<RollupKind>[] =>
  isRollup(field) ? [field] : rollupsIn([field, ...inputsAmong(field, fields)])

/** Values of linked records in a formula, and in those to which it refers. */
export const linkedBehind = (field: FormulaField, fields: readonly Field[]): readonly Field<RollupKind>[] =>
  [field, ...inputsAmong(field, fields)].flatMap(linkedValuesOf)

function inputsAmong(field: FormulaField, fields: readonly Field[]): readonly Field[] {
  const inputs = new Set(allInputs(field, fields))
  return fields.filter(({ id }) => inputs.has(id))
}

const linkedOf = new WeakMap<Fields['fields'], ReadonlySet<FieldId>>()

/** The fields that are calculated from linked records, whose values at an earlier time aren't known. */
export function fieldsOfLinkedValues({ fields }: Fields): ReadonlySet<FieldId> {
  const known = linkedOf.get(fields)
  if (known) return known
  const linked = fields.filter(isComputed).filter((field) => rollupsBehind(field, fields).length > 0)
  const found = new Set(linked.map(({ id }) => id))
  linkedOf.set(fields, found)
  return found
}

type CollectionOf = (id: CollectionId) => Fields | undefined

/** Replaces names with IDs, so that renaming a field doesn't break the formula; unknown names are kept. */
export const formulaById = (text: string, home: Fields, collectionOf?: CollectionOf): string =>
  rewriteFields(text, (path) => fieldsAlong(path, home, collectionOf)?.map(({ id }) => id))

/** Replaces IDs with current names, for display. */
export const formulaByName = (text: string, home: Fields, collectionOf?: CollectionOf): string =>
  rewriteFields(text, (path) => fieldsAlong(path, home, collectionOf)?.map(({ name }) => name))

/** The fields of a path, which are given by name or ID; undefined if one is unknown. */
export function fieldsAlong(
  path: readonly string[],
  home: Fields,
  collectionOf: CollectionOf = () => undefined,
): readonly Field[] | undefined {
  const found: Field[] = []
  let current: Fields | undefined = home
  for (const name of path) {
    const field: Field | undefined =
      current?.fields.find((each) => each.name === name) ?? current?.fields.find(({ id }) => id === name)
    if (!field) return undefined
    found.push(field)
    const into: CollectionId | undefined = linkedCollection(field)
    current = into === undefined ? undefined : collectionOf(into)
  }
  return found
}

function rewriteFields(text: string, rewritten: (path: readonly string[]) => readonly string[] | undefined): string {
  const tokens = formulaTokens(text)
  if (!tokens.ok) return text
  let result = ''
  let end = 0
  for (const [at, token] of tokens.value.entries()) {
    const path = isReference(tokens.value, at) ? rewritten(token.text.split('.')) : undefined
    if (path === undefined) continue
    result += text.slice(end, token.position) + path.join('.')
    end = token.position + token.text.length
  }
  return result + text.slice(end)
}
