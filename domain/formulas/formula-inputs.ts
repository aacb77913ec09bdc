import type { Expression } from './expression.ts'

/** A stored value that a formula reads. */
export type FormulaInput = Extract<Expression, { node: 'field' | 'system' }>

/** The stored values that a formula reads, each once, in the order in which they are passed to it. */
export function formulaInputs(expression: Expression): readonly FormulaInput[] {
  const inputs = new Map<string, FormulaInput>()
  addInputs(expression, inputs)
  return [...inputs.values()]
}

function addInputs(expression: Expression, inputs: Map<string, FormulaInput>): void {
  if (expression.node === 'call') for (const arg of expression.args) addInputs(arg, inputs)
  else if (expression.node === 'field') inputs.set(expression.field.id, expression)
  else if (expression.node === 'system') inputs.set(expression.field, expression)
}
