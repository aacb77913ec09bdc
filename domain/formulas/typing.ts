import { dateTimeRules } from '#domain/fields/date.ts'
import { fail } from '#domain/shared/result.ts'
import { INSTANT_FIELD } from '#domain/query/filter/relative-dates.ts'
import { isDay } from '#domain/shared/time.ts'
import { type Expression, type ExpressionType, type FormulaType, constant, emptyConstant } from './expression.ts'
import type { FormulaNode } from './parse-formula.ts'

/** `position` and `end` are UTF-16 offsets of the part that is wrong. */
export type FormulaFault = { readonly message: string; readonly position: number; readonly end: number }

/** A checked part; `blank` has no type until it is used. */
export type Typed = Expression | 'blank'

export const faultAt = (
  { position, end }: FormulaNode,
  message: string,
): { readonly ok: false; readonly fault: FormulaFault } => fail({ message, position, end })

export const TYPE_LABELS: { readonly [Type in ExpressionType]: string } = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  date: 'a date',
  'date-time': 'a date and time',
  wall: 'a date and time',
}

/** The expression as a value of a type: empty values have any type, and constant texts can be dates. */
export function asType(arg: Typed, type: FormulaType): Expression | undefined {
  if (arg === 'blank') return emptyConstant(type)
  if (arg.type === type) return arg
  if (arg.node !== 'constant' || arg.type !== 'text') return undefined
  const written = String(arg.value)
  if (type === 'date') return isDay(written) ? constant('date', written) : undefined
  if (type !== 'date-time') return undefined
  const instant = dateTimeRules.check(written, INSTANT_FIELD)
  return instant.ok ? constant('date-time', instant.value) : undefined
}

/** Suggests the function that converts a value. */
export function conversion(arg: Typed | undefined, wanted: FormulaType): string {
  if (arg === undefined || arg === 'blank') return ''
  if (wanted === 'text') return ' Use to_text(…) to convert it.'
  if (wanted === 'number' && arg.type === 'text') return ' Use value(…) to convert it.'
  if (wanted === 'date' && (arg.type === 'date-time' || arg.type === 'text')) return ' Use to_date(…) to convert it.'
  if (wanted === 'date-time' && arg.type === 'date') return ' Use to_datetime(…) to convert it.'
  return wanted === 'boolean' ? ' Use a comparison, such as amount > 0.' : ''
}
