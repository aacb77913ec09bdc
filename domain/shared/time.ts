/** Dates are `YYYY-MM-DD`; time zones are IANA names such as `Europe/Vienna`. */

const DAY_MS = 86_400_000
const FIRST_MS = Date.parse('0001-01-02T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00.000Z')

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Cache of canonical time zone names by input spelling. */
const knownNames = new Map<string, string>()
/** There are about 600 time zones but many spellings, so the cache size is limited. */
const MAX_KNOWN_NAMES = 1_000

/** Offsets such as `+02:00` are rejected, because they ignore daylight saving time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/

export function findTimeZone(name: string): string | undefined {
  const known = knownNames.get(name)
  if (known !== undefined || name.length > 64 || !ZONE_NAME.test(name)) return known
  try {
    // `Intl.supportedValuesOf` omits aliases such as Asia/Calcutta.
    const found = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, found)
    return found
  } catch {
    return undefined
  }
}

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/

export const hasDayForm = (text: string): boolean => DAY_FORM.test(text)

/** Whether a well-formed date exists in the calendar. */
export function isDay(text: string): boolean {
  if (!hasDayForm(text)) return false
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 7), numberAt(text, 8, 10)]
  return year >= 1 && day >= 1 && day <= daysIn(year, month)
}

const ZERO = 48

/** Reads digits in place, because imports check millions of dates. */
function numberAt(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - ZERO
  return number
}

/** Number of days in a month; 0 if the month is invalid. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0)
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function dayIn(timeZone: string, instant: Date): string {
  return wallTimeOf(timeZone, instant).slice(0, 10)
}

/**
 * If daylight saving time skips midnight, the day starts after the gap; if midnight occurs twice, the day starts at the
 * first.
 */
export function startOfDay(timeZone: string, day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  const candidates = [-DAY_MS, 0, DAY_MS]
    .map((shiftMs) => midnight - offsetMs(timeZone, insideCalendar(midnight + shiftMs)))
    .filter((ms) => dayIn(timeZone, new Date(ms)) === day)
  return new Date(Math.min(...(candidates.length > 0 ? candidates : [midnight])))
}

/**
 * Converts a local time `YYYY-MM-DDTHH:mm:ss.sss` to UTC: the first match if it occurs twice; for a skipped time, with
 * the offset from before the change.
 */
export function instantOf(timeZone: string, wall: string): Date {
  const wallMs = Date.parse(`${wall}Z`)
  if (timeZone === 'UTC') return new Date(wallMs)
  const [before = wallMs, after = wallMs] = [-DAY_MS, DAY_MS].map(
    (shiftMs) => wallMs - offsetMs(timeZone, insideCalendar(wallMs + shiftMs)),
  )
  const exact = [before, after].filter((ms) => wallTimeOf(timeZone, new Date(ms)) === wall.slice(0, 19))
  return new Date(exact.length > 0 ? Math.min(...exact) : before)
}

/**
 * Shifts a date by calendar units; the 31st becomes the last day of a shorter month. Undefined outside years 1–9999.
 */
export function shiftDay(day: string, by: number, unit: 'days' | 'months' | 'years'): string | undefined {
  const date = new Date(`${day}T00:00:00.000Z`)
  if (unit === 'days') date.setUTCDate(date.getUTCDate() + by)
  else shiftMonths(date, unit === 'years' ? by * 12 : by)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined
}

/** Modifies the date in place, in UTC. */
export function shiftMonths(date: Date, months: number): void {
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(date.getTime())
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
}

/** Clamps a time to the years 1 to 9999, minus a day at either end. */
const insideCalendar = (ms: number): Date => new Date(Math.min(LAST_MS, Math.max(FIRST_MS, ms)))

/** Time zone offset from UTC, in ms. */
function offsetMs(timeZone: string, instant: Date): number {
  const wall = Date.parse(`${wallTimeOf(timeZone, instant)}.000Z`)
  return wall - Math.floor(instant.getTime() / 1000) * 1000
}

/** Local time as `YYYY-MM-DDTHH:mm:ss`. */
export function wallTimeOf(timeZone: string, instant: Date): string {
  const parts = new Map(
    formatterFor(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes, digits: number) => (parts.get(name) ?? '').padStart(digits, '0')
  return `${part('year', 4)}-${part('month', 2)}-${part('day', 2)}T${part('hour', 2)}:${part('minute', 2)}:${part('second', 2)}`
}

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(timeZone, formatter)
  return formatter
}

/** Injected, so that tests can set the time. */
export type Clock = () => Date
