import { MAX_FORMULA_NUMBER } from '../formula-limits.ts'

type MaybeNumber = number | null

/**
 * Every number in a formula has at most 15 significant digits and is zero or between 1e-100 and 1e100, so that no
 * database overflows and 0.1 + 0.2 is 0.3. Larger numbers are empty, smaller ones zero.
 */
export function formulaNumber(value: number): MaybeNumber {
  const size = Math.abs(value)
  if (!(size < MAX_FORMULA_NUMBER)) return null
  if (size < 1 / MAX_FORMULA_NUMBER) return 0
  return Number.isInteger(value) && size < 1e15 ? value : withDigits(value, 15)
}

/** Rounds to significant digits; exact ties go to the even digit, as in PostgreSQL. */
function withDigits(value: number, digits: number): number {
  const rounded = value.toPrecision(digits)
  if (!isTie(value, digits) || /[02468](?:e[+-]\d+)?$/.test(rounded)) return Number(rounded)
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e')
  return Number(`${mantissa.slice(0, -1)}e${exponent}`)
}

/** No tie needs more digits than these to be recognized. */
const EXACT_DIGITS = 60

/** Whether the value has exactly one digit more, a five. */
const isTie = (value: number, digits: number): boolean =>
  /5(?:e[+-]\d+)?$/.test(value.toPrecision(digits + 1)) &&
  value
    .toPrecision(EXACT_DIGITS)
    .replace(/e.*$/, '')
    .replaceAll(/[-.]/g, '')
    .replaceAll(/^0+|0+$/g, '').length ===
    digits + 1

/** Powers, roots and logarithms differ in the last digits between processors, so they keep 12 digits. */
function approximate(value: number): MaybeNumber {
  const number = formulaNumber(value)
  return number === null || number === 0 ? number : withDigits(value, 12)
}

export const add = (left: number, right: number): MaybeNumber => formulaNumber(left + right)
export const subtract = (left: number, right: number): MaybeNumber => formulaNumber(left - right)
export const multiply = (left: number, right: number): MaybeNumber => formulaNumber(left * right)
export const divide = (left: number, right: number): MaybeNumber => (right === 0 ? null : formulaNumber(left / right))

/** Decimal number: `digits` times ten to the power of `exponent`. */
type Decimal = { readonly digits: bigint; readonly exponent: number }

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

const numberOf = ({ digits, exponent }: Decimal): MaybeNumber => formulaNumber(Number(`${digits}e${exponent}`))

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent)

const inUnits = ({ digits, exponent }: Decimal, unit: number): bigint => digits * tenTo(exponent - unit)

/** Exact decimal sum, which doesn't depend on the order. */
export function sumOf(values: readonly number[]): MaybeNumber {
  const sum = values.reduce((total, value) => total + value, 0)
  // Every intermediate sum is at most `size`, below which integers are exact.
  const size = values.reduce((total, value) => total + Math.abs(value), 0)
  if (Number.isSafeInteger(size) && values.every(Number.isInteger)) return formulaNumber(sum)
  const decimals = values.map(decimalOf)
  const unit = decimals.reduce((least, { exponent }) => Math.min(least, exponent), 0)
  return numberOf({ digits: decimals.reduce((total, each) => total + inUnits(each, unit), 0n), exponent: unit })
}

/** Quotient rounded toward zero, and the remainder, of two numbers in the same unit. */
function divideDecimals(left: number, right: number) {
  const [one, other] = [decimalOf(left), decimalOf(right)]
  const unit = Math.min(one.exponent, other.exponent)
  const [dividend, divisor] = [inUnits(one, unit), inUnits(other, unit)]
  return { quotient: dividend / divisor, remainder: dividend % divisor, divisor, unit }
}

/** The remainder has the sign of the dividend. */
export function modulo(left: number, right: number): MaybeNumber {
  if (right === 0) return null
  const { remainder, unit } = divideDecimals(left, right)
  return numberOf({ digits: remainder, exponent: unit })
}

/** How a number between two multiples is rounded; `half` rounds ties toward positive infinity. */
export type Rounding = 'down' | 'up' | 'toward' | 'away' | 'half'

function roundToMultiple(value: number, step: number, rounding: Rounding): MaybeNumber {
  const { quotient, remainder, divisor, unit } = divideDecimals(value, Math.abs(step))
  const multiple = quotient + correction(remainder, divisor, rounding)
  return numberOf({ digits: multiple * divisor, exponent: unit })
}

function correction(remainder: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (remainder === 0n) return 0n
  const isNegative = remainder < 0n
  switch (rounding) {
    case 'down':
      return isNegative ? -1n : 0n
    case 'up':
      return isNegative ? 0n : 1n
    case 'toward':
      return 0n
    case 'away':
      return isNegative ? -1n : 1n
    case 'half':
      if (isNegative) return -remainder * 2n > divisor ? -1n : 0n
      return remainder * 2n >= divisor ? 1n : 0n
  }
}

/** The step can have any sign; zero has no multiples. */
export const roundToStep = (value: number, step: number, rounding: Rounding): MaybeNumber =>
  step === 0 ? null : roundToMultiple(value, step, rounding)

const MAX_PLACES = 100

/** `places` is rounded toward zero; negative places round to tens, hundreds, … */
export function roundToPlaces(value: number, places: number, rounding: Rounding): MaybeNumber {
  const whole = Math.trunc(Math.max(-MAX_PLACES, Math.min(MAX_PLACES, places)))
  return roundToMultiple(value, Number(`1e${-whole}`), rounding)
}

export const even = (value: number): MaybeNumber => roundToMultiple(value, 2, 'up')

/** Rounds away from zero to an odd number. */
export function odd(value: number): MaybeNumber {
  if (value === 0) return 1
  const next = add(Math.abs(value), 1)
  const size = next === null ? null : roundToMultiple(next, 2, 'up')
  return size === null ? null : formulaNumber(Math.sign(value) * (size - 1))
}

export const sqrt = (value: number): MaybeNumber => (value < 0 ? null : formulaNumber(Math.sqrt(value)))

/** Natural logarithm of the largest number. */
const MAX_EXPONENT = 231

export function exp(value: number): MaybeNumber {
  if (value > MAX_EXPONENT) return null
  return value < -MAX_EXPONENT ? 0 : approximate(Math.exp(value))
}

export const ln = (value: number): MaybeNumber => (value <= 0 ? null : approximate(Math.log(value)))

export const log = (value: number, base: number): MaybeNumber =>
  value <= 0 || base <= 0 || base === 1 ? null : approximate(Math.log(value) / Math.log(base))

const MAX_WHOLE_EXPONENT = 1_000

export function power(base: number, exponent: number): MaybeNumber {
  if (Number.isInteger(exponent) && Math.abs(exponent) <= MAX_WHOLE_EXPONENT) return wholePower(base, exponent)
  if (base === 0) return exponent > 0 ? 0 : null
  if (base < 0) return null
  const size = exponent * Math.log(base)
  if (size > MAX_EXPONENT) return null
  return size < -MAX_EXPONENT ? 0 : approximate(base ** exponent)
}

/** Intermediate results beyond these limits are too large or too small whatever follows. */
const [LARGEST, SMALLEST] = [1e150, 1e-150]

/** Multiplies in a fixed order, so that every executor gets the same digits. */
function wholePower(base: number, exponent: number): MaybeNumber {
  if (base === 0) return exponent > 0 ? 0 : exponent === 0 ? 1 : null
  let [result, factor, rest] = [1, base, Math.abs(exponent)]
  while (rest > 0) {
    if (rest % 2 === 1) result *= factor
    rest = Math.floor(rest / 2)
    if (rest > 0) factor *= factor
    if (Math.abs(result) > LARGEST || Math.abs(factor) > LARGEST) return exponent > 0 ? null : 0
    if (Math.abs(result) < SMALLEST || Math.abs(factor) < SMALLEST) return exponent > 0 ? 0 : null
  }
  return formulaNumber(exponent < 0 ? 1 / result : result)
}

/** Plain digits without an exponent. */
export function numberText(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  const { digits, exponent } = decimalOf(value)
  if (exponent >= 0) return String(digits * tenTo(exponent))
  const all = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0')
  const shown = `${all.slice(0, exponent)}.${all.slice(exponent)}`
  return digits < 0n ? `-${shown}` : shown
}

const NUMBER_TEXT = /^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2})?$/
const BESIDE_NUMBER = /[$€£¥, \u00a0]/g

/** Ignores spaces, commas and currency signs; a text that isn't a number is empty. */
export function parseNumber(text: string): MaybeNumber {
  const plain = text.slice(0, 200).replaceAll(BESIDE_NUMBER, '')
  return text.length <= 200 && NUMBER_TEXT.test(plain) ? formulaNumber(Number(plain)) : null
}
