import type { FieldValue } from '#domain/fields/field.ts'
import { evaluateExpression, type FormulaRecord } from './evaluate-formula.ts'
import type { FormulaCalendar } from './expression.ts'
import { formulaInputs, type FormulaInput } from './formula-inputs.ts'
import type { FormulaProgram } from './formula-program.ts'

export type StoredCell = string | number | null

/** Evaluates a program with the stored values of its inputs; empty texts are null, and conditions 0 or 1. */
export type ProgramRunner = (program: string, cells: readonly StoredCell[]) => StoredCell

type Compiled = { readonly run: (cells: readonly StoredCell[]) => StoredCell }

/** Far more than the lists that are read at the same time use. */
const MAX_PROGRAMS = 200

/** Programs are parsed once and kept. */
export function createProgramRunner(): ProgramRunner {
  const known = new Map<string, Compiled>()
  return (program, cells) => {
    const compiled = known.get(program) ?? compileProgram(program)
    if (known.size >= MAX_PROGRAMS) known.clear()
    known.set(program, compiled)
    return compiled.run(cells)
  }
}

function compileProgram(text: string): Compiled {
  // Programs are only printed by `printProgram`.
  const { expression, calendar } = JSON.parse(text) as FormulaProgram
  const inputs = formulaInputs(expression)
  const at: FormulaCalendar = { now: new Date(calendar.now), timeZone: calendar.timeZone }
  return { run: (cells) => cellOf(evaluateExpression(expression, recordOf(inputs, cells), at)) }
}

function recordOf(inputs: readonly FormulaInput[], cells: readonly StoredCell[]): FormulaRecord {
  const values: { [field: string]: FieldValue } = {}
  const system = { id: '', createdAt: '', updatedAt: '' }
  for (const [place, input] of inputs.entries()) {
    const cell = cells[place] ?? null
    if (input.node === 'system') system[input.field] = String(cell ?? '')
    else values[input.field.id] = input.type === 'boolean' ? cell === 1 : cell
  }
  return { ...system, values }
}

function cellOf(value: FieldValue): StoredCell {
  if (typeof value === 'boolean') return Number(value)
  return value === '' || typeof value === 'object' ? null : value
}
