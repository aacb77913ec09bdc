import { dayIn, instantOf, isDay, shiftMonths, wallTimeOf } from '#domain/shared/time.ts'

/** A `wall` is a local date and time in ms, as if it were UTC. */
type Wall = number

const DAY_MS = 86_400_000
const [FIRST_WALL, LAST_WALL] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]

const inCalendar = (ms: number): number | null => (ms >= FIRST_WALL && ms <= LAST_WALL ? ms : null)

const isoOf = (ms: number): string => new Date(ms).toISOString()

export const wallOfDay = (day: string): Wall => Date.parse(`${day}T00:00:00.000Z`)

/** Null if the local time isn't in the years 1 to 9999. */
export function wallOfInstant(instant: string, timeZone: string): Wall | null {
  const ms = Date.parse(instant)
  return inCalendar(timeZone === 'UTC' ? ms : Date.parse(`${wallTimeOf(timeZone, new Date(ms))}${instant.slice(19)}`))
}

export const dayOfWall = (wall: Wall): string => isoOf(wall).slice(0, 10)

export function instantOfWall(wall: Wall, timeZone: string): string | null {
  const instant = inCalendar(instantOf(timeZone, isoOf(wall).slice(0, 23)).getTime())
  return instant === null ? null : isoOf(instant)
}

export const todayIn = dayIn

export const CALENDAR_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const
export const CLOCK_UNITS = ['millisecond', 'second', 'minute', 'hour'] as const

export type CalendarUnit = (typeof CALENDAR_UNITS)[number]
export type ClockUnit = (typeof CLOCK_UNITS)[number]
export type TimeUnit = CalendarUnit | ClockUnit

const UNIT_MS: { readonly [Unit in ClockUnit | 'day' | 'week']: number } = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
}

const MONTHS_IN = { month: 1, quarter: 3, year: 12 } as const

const isMonths = (unit: TimeUnit): unit is keyof typeof MONTHS_IN => Object.hasOwn(MONTHS_IN, unit)

/** More than the calendar has. */
const MAX_MONTHS = 120_000
const MAX_MS = 4e14

/** Counts are rounded toward zero; the 31st becomes the last day of a shorter month. */
export function shiftWall(wall: Wall, count: number, unit: TimeUnit): Wall | null {
  const whole = Math.trunc(count)
  if (isMonths(unit)) return shiftByMonths(wall, whole * MONTHS_IN[unit])
  const by = whole * UNIT_MS[unit]
  return Math.abs(by) > MAX_MS ? null : inCalendar(wall + by)
}

function shiftByMonths(wall: Wall, months: number): Wall | null {
  if (Math.abs(months) > MAX_MONTHS) return null
  const date = new Date(wall)
  shiftMonths(date, months)
  return inCalendar(date.getTime())
}

export function shiftInstant(instant: string, count: number, unit: TimeUnit): string | null {
  const shifted = shiftWall(Date.parse(instant), count, unit)
  return shifted === null ? null : isoOf(shifted)
}

/** Whole units from `from` to `to`, rounded toward zero. */
export function wallDifference(to: Wall, from: Wall, unit: TimeUnit): number {
  if (!isMonths(unit)) return withoutNegativeZero(Math.trunc((to - from) / UNIT_MS[unit]))
  return withoutNegativeZero(Math.trunc(monthsBetween(to, from) / MONTHS_IN[unit]))
}

const withoutNegativeZero = (value: number): number => value + 0

const monthsOf = (wall: Wall): number => new Date(wall).getUTCFullYear() * 12 + new Date(wall).getUTCMonth()

function monthsBetween(to: Wall, from: Wall): number {
  const months = monthsOf(to) - monthsOf(from)
  const reached = shiftByMonths(from, months) ?? to
  if (to >= from) return reached > to ? months - 1 : months
  return reached < to ? months + 1 : months
}

export const instantDifference = (to: string, from: string, unit: ClockUnit): number =>
  wallDifference(Date.parse(to), Date.parse(from), unit)

export const DATE_PARTS = ['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'] as const

export type DatePart = (typeof DATE_PARTS)[number]

export function datePart(wall: Wall, part: DatePart): number {
  const date = new Date(wall)
  switch (part) {
    case 'year':
      return date.getUTCFullYear()
    case 'quarter':
      return Math.floor(date.getUTCMonth() / 3) + 1
    case 'month':
      return date.getUTCMonth() + 1
    case 'day':
      return date.getUTCDate()
    case 'hour':
      return date.getUTCHours()
    case 'minute':
      return date.getUTCMinutes()
    case 'second':
      return date.getUTCSeconds()
  }
}

export type WeekStart = 'sunday' | 'monday'

/** 0 for the first day of the week. */
export const weekday = (wall: Wall, start: WeekStart): number =>
  (new Date(wall).getUTCDay() + (start === 'monday' ? 6 : 0)) % 7

/** The first week contains January 1. */
export function weekNumber(wall: Wall, start: WeekStart): number {
  const newYear = startOfUnit(wall, 'year')
  return Math.floor((dayNumber(wall) - dayNumber(newYear) + weekday(newYear, start)) / 7) + 1
}

/** ISO 8601: weeks start on Monday, and the first week contains January 4. */
export function isoWeekNumber(wall: Wall): number {
  const thursday = wall + (3 - weekday(wall, 'monday')) * DAY_MS
  return Math.floor((dayNumber(thursday) - dayNumber(startOfUnit(thursday, 'year'))) / 7) + 1
}

const dayNumber = (wall: Wall): number => Math.floor(wall / DAY_MS)

/** Weeks start on Monday. */
export function startOfUnit(wall: Wall, unit: TimeUnit): Wall {
  if (unit === 'week') return (dayNumber(wall) - weekday(wall, 'monday')) * DAY_MS
  if (!isMonths(unit)) return Math.floor(wall / UNIT_MS[unit]) * UNIT_MS[unit]
  const date = new Date(wall)
  const months = MONTHS_IN[unit]
  return wallOf(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months)
}

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
function wallOf(year: number, month: number): Wall {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 1)
  return date.getTime()
}

/** Null if there is no such day. */
export function makeDay(year: number, month: number, day: number): string | null {
  const text = [padded(year, 4), padded(month, 2), padded(day, 2)].join('-')
  return isDay(text) ? text : null
}

/** Rounded toward zero; isn't a date if it has more digits. */
const padded = (value: number, digits: number): string => String(Math.trunc(value)).padStart(digits, '0')

/** Number of days from Monday to Friday before a day, from the week of 1 January 1970. */
function workdaysBefore(day: number): number {
  const days = day + 3
  return Math.floor(days / 7) * 5 + Math.min(days - Math.floor(days / 7) * 7, 5)
}

const workdayAt = (index: number): number => Math.floor(index / 5) * 7 + (index - Math.floor(index / 5) * 5) - 3

/** The working day that is `count` working days later, or earlier if negative. */
export function workday(wall: Wall, count: number): string | null {
  const [start, whole] = [dayNumber(wall), Math.trunc(count)]
  if (whole === 0) return dayOfWall(wall)
  if (Math.abs(whole) > MAX_MS / DAY_MS) return null
  const index = whole > 0 ? workdaysBefore(start + 1) + whole - 1 : workdaysBefore(start) + whole
  const day = inCalendar(workdayAt(index) * DAY_MS)
  return day === null ? null : dayOfWall(day)
}

/** Number of working days from one day to another, including both; negative if the second is earlier. */
export function workdayDifference(from: Wall, to: Wall): number {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  if (last >= first) return workdaysBefore(last + 1) - workdaysBefore(first)
  return withoutNegativeZero(workdaysBefore(last) - workdaysBefore(first + 1))
}
