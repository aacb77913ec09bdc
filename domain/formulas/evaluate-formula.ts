import { optionName } from '#domain/fields/select.ts'
import { hasSelectOptions } from '#domain/fields/field.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { type Expression, type FormulaCalendar, type FormulaValue, emptyOf } from './expression.ts'
import { todayIn } from './operations/dates.ts'
import { formulaNumber } from './operations/numbers.ts'
import { runOperation } from './operations/operations.ts'

/** The parts of a record that a formula reads. */
export type FormulaRecord = Pick<CollectionRecord, 'id' | 'createdAt' | 'updatedAt' | 'values'>

/** Evaluates a checked formula in memory, with the same meaning as the SQL that the server generates. Always ends. */
export function evaluateExpression(
  expression: Expression,
  record: FormulaRecord,
  calendar: FormulaCalendar,
): FormulaValue {
  switch (expression.node) {
    case 'constant':
      return expression.value
    case 'field':
      return fieldValue(expression, record)
    case 'system':
      return record[expression.field]
    case 'clock':
      return expression.type === 'date' ? todayIn(calendar.timeZone, calendar.now) : calendar.now.toISOString()
    case 'call':
      return callValue(expression, record, calendar)
  }
}

/** An operation without a result is empty. */
function callValue(
  { operation, args, type }: Extract<Expression, { node: 'call' }>,
  record: FormulaRecord,
  calendar: FormulaCalendar,
): FormulaValue {
  const values = args.map((each) => evaluateExpression(each, record, calendar))
  return runOperation(operation, values, calendar) ?? emptyOf(type)
}

function fieldValue({ field, type }: Extract<Expression, { node: 'field' }>, record: FormulaRecord): FormulaValue {
  const value = record.values[field.id] ?? null
  if (typeof value === 'number') return formulaNumber(value)
  if (hasSelectOptions(field)) return typeof value === 'string' ? (optionName(field, value) ?? '') : ''
  return typeof value === 'object' ? emptyOf(type) : value
}
