import { type FormulaResult, ROLLUP_FUNCTIONS, type RollupFunction } from '#domain/fields/field.ts'
import { MAX_FORMULA_TEXT } from '#domain/formulas/formula-limits.ts'
import type { FormulaValue } from '#domain/formulas/expression.ts'
import { divide, formulaNumber, sumOf } from '#domain/formulas/operations/numbers.ts'
import { compareKeyValues } from '#domain/shared/compare-values.ts'

/** Separates joined texts. */
export const SEPARATOR = ', '

type Filled = string | number | boolean

/** The value of a rollup, from the filled values of the linked records in the order of the path. */
export function summarize(name: RollupFunction, given: readonly Filled[]): FormulaValue {
  const values = given.map(withDigits).filter((value) => value !== null)
  switch (name) {
    case 'count':
      return values.length
    case 'countDistinct':
      return new Set(values).size
    case 'sum':
      return sumOf(numbersIn(values))
    case 'avg':
      return averageOf(numbersIn(values))
    case 'min':
      return values.reduce<Filled | null>(
        (least, value) => (least === null || compare(value, least) < 0 ? value : least),
        null,
      )
    case 'max':
      return values.reduce<Filled | null>(
        (most, value) => (most === null || compare(value, most) > 0 ? value : most),
        null,
      )
    case 'first':
      return values[0] ?? null
    case 'last':
      return values.at(-1) ?? null
    case 'join':
      return joined(values)
    case 'any':
      return values.some(isTrue)
    case 'all':
      return values.length > 0 && values.every(isTrue)
  }
}

const withDigits = (value: Filled): Filled | null => (typeof value === 'number' ? formulaNumber(value) : value)

/** SQLite stores conditions as 0 and 1. */
const isTrue = (value: Filled): boolean => value === true || value === 1

const numbersIn = (values: readonly Filled[]): readonly number[] => values.filter((value) => typeof value === 'number')

function averageOf(values: readonly number[]): number | null {
  const sum = sumOf(values)
  return sum === null || values.length === 0 ? null : divide(sum, values.length)
}

const compare = (one: Filled, other: Filled): number => compareKeyValues(keyOf(one), keyOf(other))

const keyOf = (value: Filled): string | number => (typeof value === 'boolean' ? Number(value) : value)

/** Summarizes the cells of a column, given as JSON. */
export function rollupCell(name: string, cells: string): string | number | null {
  const known = ROLLUP_FUNCTIONS.find((each) => each === name)
  const values = JSON.parse(cells) as readonly (string | number | null)[]
  const value = known
    ? summarize(
        known,
        values.filter((each) => each !== null),
      )
    : null
  return typeof value === 'boolean' ? Number(value) : value
}

/** A text that is too long is empty, as in formulas. */
function joined(values: readonly Filled[]): string | null {
  const text = values.join(SEPARATOR)
  const isTooLong = text.length > MAX_FORMULA_TEXT && [...text].length > MAX_FORMULA_TEXT
  return text === '' || isTooLong ? null : text
}

/** The kind of the values of a function of values of a kind; undefined if the function doesn't apply. */
export function resultOf(name: RollupFunction, kind: FormulaResult): FormulaResult | undefined {
  switch (name) {
    case 'count':
    case 'countDistinct':
      return 'number'
    case 'sum':
    case 'avg':
      return kind === 'number' ? 'number' : undefined
    case 'min':
    case 'max':
      return kind === 'text' || kind === 'checkbox' ? undefined : kind
    case 'first':
    case 'last':
      return kind
    case 'join':
      return 'text'
    case 'any':
    case 'all':
      return kind === 'checkbox' ? 'checkbox' : undefined
  }
}
