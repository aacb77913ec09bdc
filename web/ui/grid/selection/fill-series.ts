export type FillInput = {
  /** Source values in list order as plain text: numbers with a decimal point, dates such as 2026-03-09. */
  readonly given: readonly string[]
  readonly count: number
  readonly how: 'series' | 'copy'
  readonly isBackwards?: boolean
}

/** The values to fill in: constant steps and trailing numbers are continued, other values repeated. */
export function fillSeries({ given, count, how, isBackwards = false }: FillInput): string[] {
  if (given.length === 0 || count <= 0) return []
  const valueAt = (how === 'series' ? stepped(given) : undefined) ?? repeated(given)
  const places = Array.from({ length: count }, (_, i) => (isBackwards ? i - count : given.length + i))
  return places.map(valueAt)
}

type ValueAt = (place: number) => string

function repeated(given: readonly string[]): ValueAt {
  const length = given.length
  return (place) => given[((place % length) + length) % length] ?? ''
}

function stepped(given: readonly string[]): ValueAt | undefined {
  return given.length < 2 ? undefined : (steppedNumbers(given) ?? steppedDays(given) ?? steppedEndings(given))
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/

/**
 * Uses integer multiples of the smallest decimal place, because adding floating-point steps such as 0.1 isn't exact.
 */
function steppedNumbers(given: readonly string[]): ValueAt | undefined {
  const parts = given.map((text) => NUMBER.exec(text))
  if (parts.includes(null)) return undefined
  const decimals = Math.max(...parts.map((part) => part?.[1]?.length ?? 0))
  const scale = 10 ** decimals
  const progression = progressionOf(given.map((text) => Math.round(Number(text) * scale)))
  const hasSameDecimals = parts.every((part) => (part?.[1]?.length ?? 0) === decimals)
  if (!progression) return undefined
  return (place) => {
    const number = progression(place) / scale
    return hasSameDecimals ? number.toFixed(decimals) : String(number)
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

function steppedDays(given: readonly string[]): ValueAt | undefined {
  if (!given.every((text) => DAY.test(text))) return undefined
  return steppedMonths(given) ?? valuesOf(progressionOf(given.map((text) => Date.parse(text) / DAY_MS)), dayText)
}

function steppedMonths(given: readonly string[]): ValueAt | undefined {
  const day = given[0]?.slice(8) ?? ''
  // Not every month has a day 29, 30 or 31.
  if (!given.every((text) => text.slice(8) === day) || Number(day) > 28) return undefined
  const months = progressionOf(given.map((text) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1))
  return valuesOf(months, (month) => {
    const year = Math.floor(month / 12)
    return year < 0 || year > 9999 ? undefined : `${padded(year, 4)}-${padded(month - year * 12 + 1, 2)}-${day}`
  })
}

function dayText(day: number): string | undefined {
  const text = Number.isFinite(day) ? new Date(day * DAY_MS).toISOString() : ''
  return text.startsWith('+') || text.startsWith('-') ? undefined : text.slice(0, 10)
}

/** Continues text with a trailing number, such as "Box 1", "Box 2"; leading zeros are kept. */
function steppedEndings(given: readonly string[]): ValueAt | undefined {
  const parts = given.map((text) => /^(.*?)(\d{1,15})$/s.exec(text))
  const words = parts[0]?.[1]
  if (words === undefined || parts.some((part) => part?.[1] !== words)) return undefined
  const digits = parts.map((part) => part?.[2] ?? '')
  const width = digits.some((text) => text.startsWith('0')) ? Math.max(...digits.map((text) => text.length)) : 0
  return valuesOf(progressionOf(digits.map(Number)), (number) =>
    number < 0 ? undefined : `${words}${padded(number, width)}`,
  )
}

/** Returns the value of an arithmetic progression at any index; undefined if the steps differ or aren't exact. */
function progressionOf(numbers: readonly number[]): ((place: number) => number) | undefined {
  const [first = 0, second = 0] = numbers
  const step = second - first
  const isEven = numbers.every((number, i) => Number.isSafeInteger(number) && number === first + step * i)
  return isEven ? (place) => first + step * place : undefined
}

/** Values that can't be represented, such as a date after 9999, are left empty. */
function valuesOf(
  progression: ((place: number) => number) | undefined,
  textOf: (number: number) => string | undefined,
): ValueAt | undefined {
  return progression && ((place) => textOf(progression(place)) ?? '')
}

function padded(number: number, width: number): string {
  return String(number).padStart(width, '0')
}
