import { type Result, fail, ok } from '../shared/result.ts'
import type { NumberOptions } from './field.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'
import { checkRange, definedOptions, WITHOUT_OPTIONS } from './field-options.ts'
import { formatOptions, formatProblems, printNumber, withoutFormat } from './number-format.ts'
import { type Decimal, readNumberText } from './number-text.ts'

/**
 * Number of digits that a double represents exactly; numbers with more digits are rejected, not rounded (specification,
 * “Values”).
 */
const MAX_SIGNIFICANT_DIGITS = 15
/** Accepts plain and exponential notation: `12`, `-3.50`, `1e6`. */
const NUMBER_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

export const numberRules: KindRules<'number'> = {
  optionNames: ['min', 'max', 'decimals', 'format', 'currency', 'unit', 'grouping'],
  checkOptions: (options) => {
    const problems = formatProblems(options)
    if (problems.length > 0) return fail(problems)
    const { min, max, decimals } = options
    return checkRange(options) ?? ok(definedOptions({ min, max, decimals, ...formatOptions(options) }))
  },
  check: (value, field) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return fault('not-number', 'Must be a number.')
    if (isTooPrecise(String(value))) return tooPrecise()
    return checkLimits(value, field.options)
  },
  parse: (text, field, { decimal } = {}) => {
    const given = withoutFormat(text.trim(), field.options)
    const plain = decimal !== ',' && NUMBER_TEXT.test(given) ? given : otherNumber(given, decimal)
    if (plain === undefined) return fault('not-number', `“${shorten(given)}” isn’t a number.`)
    if (isTooPrecise(plain)) return tooPrecise()
    return numberRules.check(Number(plain), field)
  },
  print: (value, { options }) => printNumber(value, options),
  canBeUnique: true,
}

function otherNumber(text: string, decimal: Decimal | undefined): string | undefined {
  const plain = readNumberText(text, decimal) ?? text
  return NUMBER_TEXT.test(plain) ? plain : undefined
}

function checkLimits(value: number, options: NumberOptions): Result<number, ValueFault> {
  if (options.min !== undefined && value < options.min) return fault('too-small', `Must be at least ${options.min}.`)
  if (options.max !== undefined && value > options.max) return fault('too-large', `Must be at most ${options.max}.`)
  if (options.decimals !== undefined && decimalsOf(value) > options.decimals) {
    const message =
      options.decimals === 1
        ? 'Must have at most one decimal place.'
        : `Must have at most ${options.decimals} decimal places.`
    return fault('too-many-decimals', message)
  }
  // A negative zero is stored without its sign.
  return ok(value === 0 ? 0 : value)
}

const tooPrecise = () =>
  fault('too-precise', `Must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits; more would be rounded.`)

const isTooPrecise = (text: string): boolean =>
  text.length > MAX_SIGNIFICANT_DIGITS && significantDigits(text) > MAX_SIGNIFICANT_DIGITS

/** Ignores leading zeros, and trailing zeros in integers. */
export function significantDigits(text: string): number {
  const mantissa = text.toLowerCase().split('e')[0] ?? ''
  const digits = mantissa.replace(/[+-]/, '').replace('.', '').replace(/^0+/, '')
  // Uses a loop, because a regular expression would take quadratic time on long runs of zeros.
  let length = digits.length
  while (digits[length - 1] === '0') length -= 1
  return length
}

function decimalsOf(value: number): number {
  const text = String(value)
  if (!text.includes('e')) return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
  const [mantissa = '', exponent = '0'] = text.split('e')
  const behindPoint = mantissa.split('.')[1]?.length ?? 0
  return Math.max(0, behindPoint - Number(exponent))
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** A double represents every integer with this many digits exactly. */
const WHOLE_NUMBER = /^\d{1,15}$/

/** Starts at 1 and is assigned by the server; values are checked when a field changes to this kind. */
export const autoNumberRules: KindRules<'auto-number'> = {
  ...WITHOUT_OPTIONS,
  check: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value > 0 && WHOLE_NUMBER.test(String(value))
      ? ok(value)
      : fault('not-count', 'Must be a whole number, 1 or greater.'),
  parse: (text, field) => {
    const plain = text.trim()
    return autoNumberRules.check(WHOLE_NUMBER.test(plain) ? Number(plain) : undefined, field)
  },
  print: (value) => String(value),
  canBeUnique: true,
}
