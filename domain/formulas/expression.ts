import type { Field } from '#domain/fields/field.ts'
import type { FormulaValue } from './formula-value.ts'
import type { OperationName } from './operations/operations.ts'

export type { FormulaCalendar, FormulaValue } from './formula-value.ts'

export const FORMULA_TYPES = ['number', 'text', 'boolean', 'date', 'date-time'] as const

/** Type of a formula's result. */
export type FormulaType = (typeof FORMULA_TYPES)[number]

/** `wall` is a local date and time, which functions of dates and of date-times calculate with. */
export type ExpressionType = FormulaType | 'wall'

/** Properties of a record that a formula can read. */
export type FormulaSystemField = 'id' | 'createdAt' | 'updatedAt'

/** Checked formula, which every executor evaluates in the same way. Fields are always stored fields. */
export type Expression =
  | { readonly node: 'constant'; readonly type: ExpressionType; readonly value: FormulaValue }
  | { readonly node: 'field'; readonly type: FormulaType; readonly field: Field }
  | { readonly node: 'system'; readonly type: FormulaType; readonly field: FormulaSystemField }
  | { readonly node: 'clock'; readonly type: 'date' | 'date-time' }
  | {
      readonly node: 'call'
      readonly type: ExpressionType
      readonly operation: OperationName
      readonly args: readonly Expression[]
    }

export const constant = (type: ExpressionType, value: FormulaValue): Expression => ({ node: 'constant', type, value })

export const call = (type: ExpressionType, operation: OperationName, ...args: readonly Expression[]): Expression => ({
  node: 'call',
  type,
  operation,
  args,
})

/** Empty texts are `''`, and conditions are never empty. */
export const emptyOf = (type: ExpressionType): FormulaValue =>
  type === 'text' ? '' : type === 'boolean' ? false : null

export const emptyConstant = (type: ExpressionType): Expression => constant(type, emptyOf(type))

export const sizeOf = (expression: Expression): number =>
  expression.node === 'call' ? expression.args.reduce((sum, each) => sum + sizeOf(each), 1) : 1

export const depthOf = (expression: Expression): number =>
  expression.node === 'call' ? 1 + expression.args.reduce((most, each) => Math.max(most, depthOf(each)), 0) : 1

export const readsClock = (expression: Expression): boolean =>
  expression.node === 'clock' || (expression.node === 'call' && expression.args.some(readsClock))
