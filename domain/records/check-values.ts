import { type Collection, fieldByName } from '../collections/collection.ts'
import { type Field, type FieldValue, isVirtual } from '../fields/field.ts'
import { checkValue, emptyValue, isEmptyValue } from '../fields/kinds.ts'
import { startingValues } from '../formulas/default-formulas.ts'
import type { FormulaCalendar } from '../formulas/expression.ts'
import type { FieldId } from '../shared/ids.ts'
import { MAX_REPORTED, type PartProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import type { RecordValues } from './record.ts'

export type NamedValues = { readonly [fieldName: string]: unknown }

export type HiddenFields = ReadonlySet<FieldId>

export const fieldsNamed = ({ fields }: Collection, given: NamedValues): readonly Field[] =>
  fields.filter(({ name }) => Object.hasOwn(given, name))

/** Validates a new record's values and adds defaults for omitted fields; fails if a required field is empty. */
export function checkNewValues(
  collection: Collection,
  given: NamedValues,
  hidden: HiddenFields,
  calendar: FormulaCalendar,
): Result<RecordValues, readonly PartProblem[]> {
  const checked = checkGiven(collection, given, hidden)
  const named = fieldsNamed(collection, given).filter(({ id }) => !hidden.has(id))
  const empty = Object.fromEntries(named.map((field) => [field.id, emptyValue(field)]))
  const values = startingValues(collection.fields, { ...empty, ...checked.values }, calendar)
  return toResult(values, [...checked.problems, ...missing(collection.fields, values, checked.problems, hidden)])
}

/** Validates changed values; a required field can't be cleared. */
export function checkChangedValues(
  collection: Collection,
  given: NamedValues,
  hidden: HiddenFields,
): Result<RecordValues, readonly PartProblem[]> {
  const { values, problems } = checkGiven(collection, given, hidden)
  const touched = collection.fields.filter((field) => field.id in values)
  return toResult(values, [...problems, ...missing(touched, values, problems, hidden)])
}

function checkGiven(collection: Collection, given: NamedValues, hidden: HiddenFields) {
  const values: { [field: FieldId]: FieldValue } = {}
  const problems: PartProblem[] = []
  for (const [name, value] of Object.entries(given)) {
    if (problems.length >= MAX_REPORTED) break
    const field = fieldByName(collection, name)
    if (!field || hidden.has(field.id)) {
      problems.push({ path: name, code: 'unknown-field', message: `There is no field “${name}”.` })
      continue
    }
    if (changesByTransition(collection, field)) {
      problems.push(useTransition(field))
      continue
    }
    if (isVirtual(field)) {
      problems.push(readOnly(field))
      continue
    }
    if (field.kind === 'auto-number') {
      problems.push({ path: name, code: 'counted', message: `${field.label} is assigned by the server. Leave it out.` })
      continue
    }
    const checked = checkValue(field, value)
    if (checked.ok) values[field.id] = checked.value
    else problems.push({ path: name, ...checked.fault })
  }
  return { values, problems }
}

const changesByTransition = ({ workflow }: Collection, { id }: Field): boolean => workflow?.field === id

const useTransition = ({ name, label }: Field): PartProblem => ({
  path: name,
  code: 'use-transition',
  message: `${label} can only be changed with a workflow transition.`,
})

const readOnly = ({ kind, name, label }: Field): PartProblem => ({
  path: name,
  code: kind === 'reverse' ? 'read-only' : 'computed',
  message:
    kind === 'reverse'
      ? `${label} shows the records that link here. Change the link in those records instead.`
      : `${label} is calculated. Leave it out.`,
})

function missing(
  fields: readonly Field[],
  values: RecordValues,
  known: readonly PartProblem[],
  hidden: HiddenFields,
): PartProblem[] {
  const reported = new Set(known.map((problem) => problem.path))
  return fields
    .filter((field) => isRequired(field) && !reported.has(field.name) && isEmptyValue(values[field.id] ?? null))
    .map((field) => (hidden.has(field.id) ? MISSING_HIDDEN : missingField(field)))
}

/** A status can't be cleared; the server assigns auto numbers. */
const isRequired = (field: Field): boolean => field.kind === 'state' || (field.required && field.kind !== 'auto-number')

const missingField = (field: Field): PartProblem => ({
  path: field.name,
  code: 'required',
  message: `${field.label} is required.`,
})

/** The error must not name a hidden required field. */
const MISSING_HIDDEN: PartProblem = {
  path: '',
  code: 'required',
  message: 'New records need values in fields you can’t edit. Ask an owner to create the record.',
}

const toResult = (values: RecordValues, problems: readonly PartProblem[]) =>
  problems.length > 0 ? fail(problems) : ok(values)
