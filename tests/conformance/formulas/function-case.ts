import type { FormulaValue } from '#domain/formulas/expression.ts'

/** A formula and its value; null is empty. */
export type FunctionCase = readonly [formula: string, expected: FormulaValue]
