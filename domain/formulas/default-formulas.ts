import { type Field, type FieldValue, hasSelectOptions, isEntered } from '#domain/fields/field.ts'
import { checkValue, DEFAULT_RESULTS, emptyValue, startingValue } from '#domain/fields/kinds.ts'
import { findOption } from '#domain/fields/select.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { checkFormula, type FormulaScope } from './check-formula.ts'
import { evaluateExpression } from './evaluate-formula.ts'
import type { Expression, FormulaCalendar, FormulaValue } from './expression.ts'
import { expressionOf, formulaById, formulaScope, RESULT_TYPES } from './formula-fields.ts'
import { formulaInputs } from './formula-inputs.ts'
import { asType, conversion, type FormulaFault, TYPE_LABELS } from './typing.ts'
import { rollupsIn } from './value-field.ts'

type Checked = Result<Expression, FormulaFault>

/** Checks a formula for default values, and returns it with IDs in place of names. */
export function checkDefaultFormula(
  formula: string,
  field: Field,
  siblings: readonly Field[],
  isVisible: (field: Field) => boolean,
): Result<string, FormulaFault> {
  const checked = defaultExpression(formula, field, siblings, isVisible)
  if (!checked.ok) return checked
  const stored = formulaById(formula, { fields: siblings })
  const cycle = cycleFrom(field, [{ ...field, defaultFormula: stored }, ...siblings])
  if (cycle === undefined) return ok(stored)
  const message = `A default value can’t depend on itself: ${cycle.map(({ label }) => label).join(' → ')}.`
  return fail({ message, position: 0, end: formula.length })
}

function defaultExpression(
  formula: string,
  { id, kind }: Field,
  fields: readonly Field[],
  isVisible: (field: Field) => boolean = () => true,
): Checked {
  const others = fields.filter((field) => field.id !== id)
  const { find, names } = formulaScope({ fields: others }, (other) => ok(expressionOf({ fields }, other)), isVisible)
  const scope: FormulaScope = {
    names,
    find: (name) => {
      const found = find(name)
      return found?.ok && readsSaved(found.value, fields) ? fail(unsavedMessage(name)) : found
    },
    findLinked: (path) => (path.length > 1 ? fail(unsavedMessage(path.join('.'))) : undefined),
  }
  const checked = checkFormula(formula, scope)
  if (!checked.ok) return checked
  const whole = (message: string): Checked => fail({ message, position: 0, end: formula.length })
  if (readsSaved(checked.value, fields)) return whole(unsavedMessage('created_time() or record_id()'))
  const result = DEFAULT_RESULTS[kind]
  if (!result) return whole('Default values of this field type can’t be calculated.')
  const wanted = RESULT_TYPES[result]
  const typed = asType(checked.value, wanted)
  if (typed) return ok(typed)
  return whole(
    `The result must be ${TYPE_LABELS[wanted]}, not ${TYPE_LABELS[checked.value.type]}.${conversion(checked.value, wanted)}`,
  )
}

const unsavedMessage = (name: string): string =>
  `“${name}” has no value before the record is saved, so default values can’t use it.`

/** Whether an expression reads values that only saved records have. */
function readsSaved(expression: Expression, fields: readonly Field[]): boolean {
  const rollups = new Set(rollupsIn(fields).map(({ id }) => id))
  return formulaInputs(expression).some(
    (input) => input.node === 'system' || input.field.kind === 'auto-number' || rollups.has(input.field.id),
  )
}

type CalculatedDefault = { readonly field: Field; readonly expression: Expression }

const defaultsOf = new WeakMap<readonly Field[], readonly CalculatedDefault[]>()

/** The calculated default values of a collection; each comes after those from which it is calculated. */
function calculatedDefaults(fields: readonly Field[]): readonly CalculatedDefault[] {
  const known = defaultsOf.get(fields)
  if (known) return known
  const expressions = expressionsIn(fields)
  const ordered = new Map<FieldId, CalculatedDefault>()
  const seen = new Set<FieldId>()
  const visit = (field: Field): void => {
    const expression = expressions.get(field.id)
    if (!expression || seen.has(field.id)) return
    seen.add(field.id)
    for (const input of inputsOf(expression, fields)) visit(input)
    ordered.set(field.id, { field, expression })
  }
  for (const field of fields) visit(field)
  const result = [...ordered.values()]
  defaultsOf.set(fields, result)
  return result
}

const expressionsIn = (fields: readonly Field[]): ReadonlyMap<FieldId, Expression> =>
  new Map(
    fields.flatMap((field): [FieldId, Expression][] => {
      const checked =
        field.defaultFormula === undefined ? undefined : defaultExpression(field.defaultFormula, field, fields)
      return checked?.ok ? [[field.id, checked.value]] : []
    }),
  )

function inputsOf(expression: Expression, fields: readonly Field[]): readonly Field[] {
  const ids = new Set(formulaInputs(expression).flatMap((input) => (input.node === 'field' ? [input.field.id] : [])))
  return fields.filter(({ id }) => ids.has(id))
}

/** The path on which the default value of a field depends on itself. */
function cycleFrom(field: Field, fields: readonly Field[]): readonly Field[] | undefined {
  const expressions = expressionsIn(fields)
  const seen = new Set<FieldId>()
  const search = (from: Field, path: readonly Field[]): readonly Field[] | undefined => {
    const expression = expressions.get(from.id)
    for (const input of expression ? inputsOf(expression, fields) : []) {
      if (input.id === field.id) return [...path, from, input]
      if (seen.has(input.id)) continue
      seen.add(input.id)
      const found = search(input, [...path, from])
      if (found) return found
    }
    return undefined
  }
  return search(field, [])
}

/** The fields whose default values can no longer be calculated after a change of the collection, with the reason. */
export const invalidDefaults = (
  fields: readonly Field[],
): readonly { readonly field: Field; readonly fault: string }[] =>
  fields.flatMap((field) => {
    if (field.defaultFormula === undefined) return []
    const checked = defaultExpression(field.defaultFormula, field, fields)
    return checked.ok ? [] : [{ field, fault: checked.fault.message }]
  })

/** The values of a new record: the given ones, and default values, of which formulas see all others. */
export function startingValues(
  fields: readonly Field[],
  given: RecordValues,
  calendar: FormulaCalendar,
): { readonly [field: FieldId]: FieldValue } {
  const values: { [field: FieldId]: FieldValue } = {}
  for (const field of fields.filter(isEntered)) values[field.id] = given[field.id] ?? startingValueUnless(field, given)
  const record = { id: '', createdAt: '', updatedAt: '', values }
  for (const { field, expression } of calculatedDefaults(fields))
    if (given[field.id] === undefined)
      values[field.id] = fittingValue(field, evaluateExpression(expression, record, calendar))
  return values
}

/** Fields that are given as empty stay empty, except a status. */
const startingValueUnless = (field: Field, given: RecordValues): FieldValue =>
  given[field.id] === undefined || field.kind === 'state' ? startingValue(field) : emptyValue(field)

/** Values that the field doesn't accept are empty. */
function fittingValue(field: Field, value: FormulaValue): FieldValue {
  const named = hasSelectOptions(field) ? (findOption(field, String(value ?? ''))?.id ?? null) : value
  const checked = checkValue(field, named)
  return checked.ok ? checked.value : emptyValue(field)
}
