import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { evaluateExpression, type FormulaRecord } from './evaluate-formula.ts'
import type { FormulaCalendar } from './expression.ts'
import { allInputs, expressionOf } from './formula-fields.ts'
import { isFormula, linkedValuesOf } from './value-field.ts'

/** The values of a record with those of its formulas, in the form of their result fields. */
export function valuesWithFormulas(
  collection: Pick<Collection, 'fields'>,
  shown: readonly Field[],
  record: FormulaRecord,
  calendar: FormulaCalendar,
): RecordValues {
  const formulas = shown.filter(isFormula)
  if (formulas.length === 0) return record.values
  const computed = formulas.map((field): [string, FieldValue] => {
    const value = evaluateExpression(expressionOf(collection, field), record, calendar)
    return [field.id, value === '' ? null : value]
  })
  return { ...record.values, ...Object.fromEntries(computed) }
}

/** The stored fields from which formulas among these fields are computed, except those of these fields. */
export function missingInputs(collection: Pick<Collection, 'fields'>, shown: readonly Field[]): readonly Field[] {
  const ids = new Set(shown.filter(isFormula).flatMap((field) => allInputs(field, collection.fields)))
  if (ids.size === 0) return []
  const inputs = collection.fields.filter((field) => ids.has(field.id) && !shown.includes(field))
  return inputs.flatMap((field): readonly Field[] => (isFormula(field) ? linkedValuesOf(field) : [field]))
}
