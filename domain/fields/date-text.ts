import { foldText } from '../shared/text.ts'
import { instantOf, isDay } from '../shared/time.ts'

/** Order of day, month and year, which determines how `3/9/2026` is parsed. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const

export type DayOrder = (typeof DAY_ORDERS)[number]

/** Parsed date for each order of day, month and year; most texts are valid in only one order. */
export type DayReadings = { readonly [Each in DayOrder]?: string }

/** Longer texts can't be dates; limits parsing time. */
const MAX_LENGTH = 64

/** Some programs export dates with a midnight time. */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?Z?$/

const WEEKDAY = /^\p{L}{2,10}\.?,? (?=.*\d)/u
const YEAR_FIRST = /^(\d{4})[./ -]{1,2}(\d{1,2})[./ -]{1,2}(\d{1,2})\.?$/
const YEAR_LAST = /^(\d{1,2})([./ -]{1,2})(\d{1,2})[./ -]{1,2}(\d{4}|\d{2})$/
const MONTH_SECOND = /^(\d{1,2})(?:st|nd|rd|th|\.)?[ -]?(\p{L}{3,10})\.?,?[ -](\d{4}|\d{2})$/iu
const MONTH_FIRST = /^(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/iu

/**
 * Parses dates such as `24.12.2026`, `24/12/26`, `12-24-2026`, `2026/12/24`, `24. Dezember 2026`, `Dec 24, 2026` and
 * `Do., 24.12.2026`.
 */
export function dayReadings(text: string): DayReadings {
  if (text.length > MAX_LENGTH) return {}
  const asGiven = numberedDay(text)
  if (asGiven) return asGiven
  const plain = text.replaceAll(/\s+/g, ' ').trim().replace(MIDNIGHT, '')
  const numbers = plain === text ? undefined : numberedDay(plain)
  if (numbers) return numbers
  const bare = plain.replace(WEEKDAY, '')
  const behindWeekday = bare === plain ? undefined : numberedDay(bare)
  return behindWeekday ?? namedDay(plain) ?? namedDay(bare) ?? {}
}

function numberedDay(text: string): DayReadings | undefined {
  const [, year = '', second = '', third = ''] = YEAR_FIRST.exec(text) ?? []
  if (year !== '') return { ...reading('ymd', dayOf(year, second, third)) }
  const [, one = '', separator = '', two = '', last = ''] = YEAR_LAST.exec(text) ?? []
  if (last === '') return undefined
  const dayFirst = reading('dmy', dayOf(last, two, one))
  // Month-first dates never use dots.
  return separator.includes('.') ? dayFirst : { ...dayFirst, ...reading('mdy', dayOf(last, one, two)) }
}

const reading = (order: DayOrder, day: string | undefined): DayReadings => (day === undefined ? {} : { [order]: day })

/** Folded month names in every UI language; abbreviations have at least three letters. */
const MONTHS = [
  ['january', 'januar', 'janner'],
  ['february', 'februar', 'feber'],
  ['march', 'marz', 'maerz', 'mrz'],
  ['april'],
  ['may', 'mai'],
  ['june', 'juni'],
  ['july', 'juli'],
  ['august'],
  ['september', 'sept'],
  ['october', 'oktober'],
  ['november'],
  ['december', 'dezember'],
]

function namedDay(text: string): DayReadings | undefined {
  const [, dayFirst, monthSecond, yearBehind] = MONTH_SECOND.exec(text) ?? []
  const [, monthFirst, daySecond, year = yearBehind ?? ''] = MONTH_FIRST.exec(text) ?? []
  const name = foldText(monthSecond ?? monthFirst ?? '')
  const month = MONTHS.findIndex((names) => names.some((full) => name.length >= 3 && full.startsWith(name)))
  const day = month < 0 ? undefined : dayOf(year, String(month + 1), dayFirst ?? daySecond ?? '')
  return day === undefined ? undefined : { dmy: day, mdy: day, ymd: day }
}

/** Interprets two-digit years as POSIX does: 69 to 99 are in the 1900s. */
function dayOf(year: string, month: string, day: string): string | undefined {
  const century = year.length === 2 ? (year < '69' ? '20' : '19') : ''
  const text = `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

/** Parses a date. `order` is used only if a text is valid in several orders; without it such texts are ambiguous. */
export function readDayText(text: string, order?: DayOrder): string | undefined {
  const readings = dayReadings(text)
  const asOrdered = order && readings[order]
  if (asOrdered !== undefined) return asOrdered
  const days = new Set(Object.values(readings))
  return days.size === 1 ? [...days][0] : undefined
}

const CLOCK = /^(.*?\d)[,T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d{0,6})?)?(?:\s*(?:([ap])\.?m\.?|Uhr))?$/i

/** Returns the date part of a text that also contains a time. */
export const dayPartOf = (text: string): string | undefined =>
  text.length > MAX_LENGTH ? undefined : CLOCK.exec(text.trim())?.[1]

/** Parses a date-time in stored format; a date alone means midnight, and the default time zone is UTC. */
export function readInstantText(text: string, order?: DayOrder, timeZone = 'UTC'): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const clock = CLOCK.exec(text.trim())
  const day = readDayText(clock?.[1] ?? text, order)
  const time = clock ? timeOfDay(clock) : '00:00:00.000'
  if (day === undefined || time === undefined) return undefined
  const instant = instantOf(timeZone, `${day}T${time}`)
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant.toISOString() : undefined
}

function timeOfDay([, , hours, minutes = '', seconds = '00', fraction = '', half]: RegExpExecArray):
  | string
  | undefined {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`
}
