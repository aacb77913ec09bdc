import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldKind, type FormulaResult, isRollup } from '#domain/fields/field.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { ID_PATTERN, type FieldId } from '#domain/shared/ids.ts'
import { checkFormula, type FormulaScope } from './check-formula.ts'
import { emptyConstant, type Expression, type FormulaType } from './expression.ts'
import type { Token } from '#domain/query/filter/tokens.ts'
import { formulaTokens } from './parse-formula.ts'
import type { FormulaFault } from './typing.ts'
import { isFormula, valueField } from './value-field.ts'

type FormulaField = Field<'formula'>

type Fields = Pick<Collection, 'fields'>

const RESULT_KINDS: { readonly [Type in FormulaType]: FormulaResult } = {
  number: 'number',
  text: 'text',
  boolean: 'checkbox',
  date: 'date',
  'date-time': 'date-time',
}

const RESULT_TYPES: { readonly [Kind in FormulaResult]: FormulaType } = {
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
  }
}

const EMPTY: Expression = { node: 'constant', type: 'text', value: '' }

/** The stored value of a field; rollups are stored as well. */
export function sourceOf(stored: Field): Result<Expression, string> {
  const field = valueField(stored)
  const type = READABLE_TYPES[field.kind]
  if (type !== undefined) return ok({ node: 'field', type, field })
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
  const scope = formulaScope({ fields }, (other) => {
    const expanded = expandFormula(other, inside)
    if (expanded.ok) return expanded
    const { message } = expanded.fault
    return fail(cycles.has(message) ? message : `The formula “${other.label}” isn’t valid.`)
  })
  const result = checkFormula(field.options.formula, scope)
  checked.set(field.id, result)
  return result
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

/** A formula field with a new formula, whose result is inferred; `field` is only used for its name and ID. */
export function checkFormulaField(
  formula: string,
  field: Pick<Field, 'id' | 'name' | 'label'>,
  siblings: readonly Field[],
  isVisible: (field: Field) => boolean,
): Result<FormulaField['options'], FormulaFault> {
  const fields = (text: string, result: FormulaResult): readonly Field[] => [
    { ...field, kind: 'formula', required: false, unique: false, default: null, options: { formula: text, result } },
    ...siblings,
  ]
  const stored = formulaById(formula, { fields: fields('', 'text') })
  const all = { fields: fields(stored, 'text') }
  const formulas = collectionFormulas(all)
  const scope = formulaScope(
    all,
    (other) => {
      const known = formulas.get(other.id)
      return known?.ok === true ? known : fail(known?.fault.message ?? '')
    },
    isVisible,
  )
  // Positions refer to the written formula, in which fields are named.
  const written = checkFormula(formula, scope)
  if (!written.ok) return written
  return ok({ formula: stored, result: resultKind(written.value) })
}

const KEYWORDS = new Set(['true', 'false', 'is', 'not', 'empty', 'in', 'between', 'and'])

/** IDs of the fields to which a stored formula refers. */
export const directInputs = ({ options }: FormulaField): readonly FieldId[] =>
  namesInFormula(options.formula).filter((name) => ID_PATTERN.test(name))

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

const linkedOf = new WeakMap<Fields['fields'], ReadonlySet<FieldId>>()

/** Lookups, counts and rollups, and the formulas calculated from them, whose values at an earlier time aren't known. */
export function fieldsOfLinkedValues({ fields }: Fields): ReadonlySet<FieldId> {
  const known = linkedOf.get(fields)
  if (known) return known
  const rollups = new Set(fields.filter(isRollup).map(({ id }) => id))
  const readsOne = (field: Field): boolean => isFormula(field) && allInputs(field, fields).some((id) => rollups.has(id))
  const found = new Set(rollups.size === 0 ? [] : [...rollups, ...fields.filter(readsOne).map(({ id }) => id)])
  linkedOf.set(fields, found)
  return found
}

/** Replaces field names with IDs, so that renaming a field doesn't break the formula; unknown names are kept. */
export const formulaById = (text: string, { fields }: Fields): string =>
  rewriteFields(text, (word) => fields.find(({ name }) => name === word)?.id)

/** Replaces IDs with current names, for display. */
export const formulaByName = (text: string, { fields }: Fields): string =>
  rewriteFields(text, (word) => fields.find(({ id }) => id === word)?.name)

function rewriteFields(text: string, rewritten: (word: string) => string | undefined): string {
  const tokens = formulaTokens(text)
  if (!tokens.ok) return text
  let result = ''
  let end = 0
  for (const [at, token] of tokens.value.entries()) {
    const word = isReference(tokens.value, at) ? rewritten(token.text) : undefined
    if (word === undefined) continue
    result += text.slice(end, token.position) + word
    end = token.position + token.text.length
  }
  return result + text.slice(end)
}
