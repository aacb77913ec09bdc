import { isDay } from '#domain/shared/time.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { isoWeekNumber, datePart, weekday } from './dates.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const two = (value: number): string => String(value).padStart(2, '0')

/** Hours of a twelve-hour clock. */
const onClock = (wall: number): number => datePart(wall, 'hour') % 12 || 12

const isMorning = (wall: number): boolean => datePart(wall, 'hour') < 12

/** The parts of a date format. English names, as in formats of other tools. */
const PRINTERS = {
  YYYY: (wall) => String(datePart(wall, 'year')).padStart(4, '0'),
  YY: (wall) => String(datePart(wall, 'year')).padStart(4, '0').slice(-2),
  Q: (wall) => String(datePart(wall, 'quarter')),
  MMMM: (wall) => MONTHS[datePart(wall, 'month') - 1] ?? '',
  MMM: (wall) => (MONTHS[datePart(wall, 'month') - 1] ?? '').slice(0, 3),
  MM: (wall) => two(datePart(wall, 'month')),
  M: (wall) => String(datePart(wall, 'month')),
  DD: (wall) => two(datePart(wall, 'day')),
  D: (wall) => String(datePart(wall, 'day')),
  dddd: (wall) => DAYS[weekday(wall, 'sunday')] ?? '',
  ddd: (wall) => (DAYS[weekday(wall, 'sunday')] ?? '').slice(0, 3),
  WW: (wall) => two(isoWeekNumber(wall)),
  W: (wall) => String(isoWeekNumber(wall)),
  HH: (wall) => two(datePart(wall, 'hour')),
  H: (wall) => String(datePart(wall, 'hour')),
  hh: (wall) => two(onClock(wall)),
  h: (wall) => String(onClock(wall)),
  mm: (wall) => two(datePart(wall, 'minute')),
  m: (wall) => String(datePart(wall, 'minute')),
  ss: (wall) => two(datePart(wall, 'second')),
  s: (wall) => String(datePart(wall, 'second')),
  A: (wall) => (isMorning(wall) ? 'AM' : 'PM'),
  a: (wall) => (isMorning(wall) ? 'am' : 'pm'),
} as const satisfies { readonly [token: string]: (wall: number) => string }

export type FormatToken = keyof typeof PRINTERS

export type FormatPart = { readonly token: FormatToken } | { readonly text: string }

/** Longer tokens first; text in square brackets is printed as it is. */
const PARTS = /\[([^\]]*)\]|YYYY|YY|Q|MMMM|MMM|MM|M|DD|D|dddd|ddd|WW|W|HH|H|hh|h|mm|m|ss|s|A|a|[^A-Za-z[]+|./gu

const isToken = (text: string): text is FormatToken => Object.hasOwn(PRINTERS, text)

/** Other alphabetic characters are errors, so that a typo isn't printed. */
export function parseDateFormat(format: string): Result<readonly FormatPart[], string> {
  const parts: FormatPart[] = []
  for (const [written, literal] of format.matchAll(PARTS)) {
    if (literal !== undefined) parts.push({ text: literal })
    else if (isToken(written)) parts.push({ token: written })
    else if (/^[A-Za-z[]/.test(written))
      return fail(`“${written}” isn’t part of a date format. Put text in square brackets: [${written}].`)
    else parts.push({ text: written })
  }
  return ok(parts)
}

/** Formats have been checked. */
export function partsOfFormat(format: string): readonly FormatPart[] {
  const parts = parseDateFormat(format)
  return parts.ok ? parts.value : []
}

export const printDate = (wall: number, format: string): string =>
  partsOfFormat(format)
    .map((part) => ('text' in part ? part.text : PRINTERS[part.token](wall)))
    .join('')

/** Parts with a fixed number of digits, by which dates can be read. */
const READ_DIGITS = { YYYY: 4, MM: 2, DD: 2, HH: 2, mm: 2, ss: 2 } as const

type ReadToken = keyof typeof READ_DIGITS

const isReadToken = (token: FormatToken): token is ReadToken => Object.hasOwn(READ_DIGITS, token)

/** Pattern that reads a date, and the order of its parts. */
export type ReadingFormat = { readonly pattern: string; readonly tokens: readonly ReadToken[] }

export function parseReadingFormat(format: string): Result<ReadingFormat, string> {
  const parts = parseDateFormat(format)
  if (!parts.ok) return parts
  const tokens: ReadToken[] = []
  let pattern = ''
  for (const part of parts.value) {
    if ('text' in part) pattern += part.text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)
    else if (!isReadToken(part.token) || tokens.includes(part.token)) return fail(READING_RULE)
    else {
      tokens.push(part.token)
      pattern += `([0-9]{${READ_DIGITS[part.token]}})`
    }
  }
  const isDate = (['YYYY', 'MM', 'DD'] as const).every((token) => tokens.includes(token))
  return isDate ? ok({ pattern: `^${pattern}$`, tokens }) : fail(READING_RULE)
}

const READING_RULE = 'The format must contain YYYY, MM and DD, and can contain HH, mm and ss, each once.'

/** Null if the text doesn't have the format or isn't a valid date and time. */
export function readDate(text: string, format: string): number | null {
  const reading = parseReadingFormat(format)
  if (!reading.ok) return null
  const { pattern, tokens } = reading.value
  const found = new RegExp(pattern, 'u').exec(text)
  if (!found) return null
  const part = (token: ReadToken): string =>
    (tokens.includes(token) ? found[tokens.indexOf(token) + 1] : undefined) ?? '00'
  const day = `${part('YYYY')}-${part('MM')}-${part('DD')}`
  const isTime = part('HH') <= '23' && part('mm') <= '59' && part('ss') <= '59'
  return isTime && isDay(day) ? Date.parse(`${day}T${part('HH')}:${part('mm')}:${part('ss')}.000Z`) : null
}
