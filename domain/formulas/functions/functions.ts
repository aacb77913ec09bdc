import { DATE_FUNCTIONS, RECORD_FUNCTIONS } from './date-functions.ts'
import type { FormulaFunction, Parameter } from './formula-function.ts'
import { LOGIC_FUNCTIONS } from './logic-functions.ts'
import { NUMBER_FUNCTIONS } from './number-functions.ts'
import { TEXT_FUNCTIONS } from './text-functions.ts'

/** Every function by its name; names ignore case. `blank()` is part of the language, because it has no type. */
export const FUNCTIONS: ReadonlyMap<string, FormulaFunction> = new Map<string, FormulaFunction>(
  Object.entries({
    ...LOGIC_FUNCTIONS,
    ...NUMBER_FUNCTIONS,
    ...TEXT_FUNCTIONS,
    ...DATE_FUNCTIONS,
    ...RECORD_FUNCTIONS,
  }),
)

/** For example, `left(text, count)`; optional parameters are in square brackets. */
export const signatureOf = (name: string, { parameters }: Pick<FormulaFunction, 'parameters'>): string =>
  `${name}(${parameters.map(parameterText).join(', ')})`

function parameterText({ name, isOptional, isRepeated }: Parameter): string {
  if (isRepeated) return `${name}, …`
  return isOptional ? `[${name}]` : name
}
