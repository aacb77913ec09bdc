import { instantOf, isDay, shiftDay, wallTimeOf } from '#domain/shared/time.ts'

const DAY_MS = 86_400_000
const DAY_MINUTES = 1_440

/** Number of days since 1 January 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / DAY_MS

export const FIRST_DAY = dayNumber('0001-01-01')
export const LAST_DAY = dayNumber('9999-12-31')

/** `YYYY-MM-DD`; undefined outside the years 1 to 9999. */
export const dayText = (day: number): string | undefined =>
  day >= FIRST_DAY && day <= LAST_DAY ? new Date(day * DAY_MS).toISOString().slice(0, 10) : undefined

export type DateKind = 'date' | 'date-time'

/** The values of a record's start and end field, as stored. */
export type DateValues = { readonly start: string; readonly end: string | null }

/** The days that a record takes up, as local day numbers. */
export type DateSpan = {
  readonly first: number
  readonly last: number
  /** In minutes since midnight, of the first day; null for dates without a time. */
  readonly startMinute: number | null
  /** In minutes since midnight of the last day; 1440 if the record ends at midnight. */
  readonly endMinute: number | null
  /** The end is before the start, so the record takes up the day of its start only. */
  readonly isReversed: boolean
}

/** Undefined if the start is empty or isn't a date. An invalid end counts as empty. */
export function readDateValues(kind: DateKind, start: unknown, end: unknown): DateValues | undefined {
  const from = readValue(kind, start)
  return from === undefined ? undefined : { start: from, end: readValue(kind, end) ?? null }
}

function readValue(kind: DateKind, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const isValid = kind === 'date' ? isDay(value) : isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
  return isValid ? value : undefined
}

type Moment = { readonly day: number; readonly minute: number | null }

function momentOf(kind: DateKind, value: string, timeZone: string): Moment {
  if (kind === 'date') return { day: dayNumber(value), minute: null }
  const wall = wallTimeOf(timeZone, new Date(value))
  return { day: dayNumber(wall.slice(0, 10)), minute: minuteOf(wall) }
}

/** Dates without a time have no time zone. */
export function spanOfDates(kind: DateKind, { start, end }: DateValues, timeZone: string): DateSpan {
  const from = momentOf(kind, start, timeZone)
  const isReversed = end !== null && end < start
  const single = { first: from.day, last: from.day, startMinute: from.minute, endMinute: from.minute, isReversed }
  if (end === null || end <= start) return single
  const to = momentOf(kind, end, timeZone)
  const { first } = single
  // A record that ends at midnight doesn't take up the next day.
  if (to.minute === 0 && to.day > first) return { ...single, last: to.day - 1, endMinute: DAY_MINUTES }
  return { ...single, last: Math.max(first, to.day), endMinute: to.minute }
}

/** Position on a continuous scale of days, on which every day has 24 hours. */
export function scaleOfSpan({ first, last, startMinute, endMinute }: DateSpan): { from: number; to: number } {
  return {
    from: first + (startMinute ?? 0) / DAY_MINUTES,
    to: last + (endMinute ?? DAY_MINUTES) / DAY_MINUTES,
  }
}

/** A distance in local time; minutes apply only to values with a time. */
export type TimeShift = { readonly days: number; readonly minutes?: number }

/**
 * Moves a value in local time. Moved by days, a date-time keeps its time of day, even across a change to or from
 * daylight saving time. Undefined outside the years 1 to 9999.
 */
export function shiftValue(
  kind: DateKind,
  value: string,
  { days, minutes = 0 }: TimeShift,
  timeZone: string,
): string | undefined {
  if (kind === 'date') return shiftDay(value, days, 'days')
  if (days === 0 && minutes === 0) return value
  const wall = wallTimeOf(timeZone, new Date(value))
  const minute = minuteOf(wall) + minutes
  const day = dayText(dayNumber(wall.slice(0, 10)) + days + Math.floor(minute / DAY_MINUTES))
  if (day === undefined) return undefined
  const seconds = `${wall.slice(16)}${value.slice(19, 23)}`
  const moved = instantOf(timeZone, `${day}T${clockOf(minute)}${seconds}`)
  const year = moved.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moved.toISOString() : undefined
}

/** Minutes since midnight of a local time. */
const minuteOf = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))

/** `HH:mm` */
function clockOf(minute: number): string {
  const ofDay = ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`
}

export type DateEdge = 'start' | 'end'

/** How a drag changes a record: all of it, or one of its ends. */
export type DateMove = TimeShift & { readonly edge: DateEdge | 'both' }

/**
 * The values after a move; undefined if they would leave the calendar or if the end would be before the start. A
 * missing end is added by moving it.
 */
export function moveDates(
  kind: DateKind,
  { start, end }: DateValues,
  { edge, ...by }: DateMove,
  timeZone: string,
): DateValues | undefined {
  const shift = (value: string) => shiftValue(kind, value, by, timeZone)
  const from = edge === 'end' ? start : shift(start)
  const to = edge === 'start' ? end : edge === 'end' ? shift(end ?? start) : end === null ? null : shift(end)
  if (from === undefined || to === undefined) return undefined
  return edge !== 'both' && to !== null && to < from ? undefined : { start: from, end: to }
}

/** In minutes since midnight: new records are in the morning, so that they are visible in every view. */
const MINUTE_OF_NEW = 9 * 60

/** The value for a record that is placed on a day. */
export const valueOnDay = (kind: DateKind, day: string, timeZone: string, minute = MINUTE_OF_NEW): string =>
  kind === 'date' ? day : instantOf(timeZone, `${day}T${clockOf(minute)}:00.000`).toISOString()
