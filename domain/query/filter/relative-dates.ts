import { dateTimeRules } from '#domain/fields/date.ts'
import { dayIn, isDay, shiftDay, shiftMonths, startOfDay } from '#domain/shared/time.ts'
import type { Bound, Range } from '../check/checked-filter.ts'

export type Calendar = { readonly now: Date; readonly timeZone: string }

const MARKER = /^@(now|today)(?:([+-])(\d{1,6})([hdwmy]))?$/
const LAST_INSTANT = '9999-12-31T23:59:59.999Z'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Unit = 'h' | 'd' | 'w' | 'm' | 'y'

export type DateLiteral = { readonly type: 'day' | 'instant'; readonly text: string }

/**
 * Parses `2026-03-01`, `2026-03-01T14:30:00Z`, `@today-7d` (a day in the actor's time zone) and `@now-2h` (a point in
 * time).
 */
export function readDateLiteral(text: string, calendar: Calendar): DateLiteral | undefined {
  if (text.startsWith('@')) return readMarker(text, calendar)
  if (isDay(text)) return { type: 'day', text }
  const instant = dateTimeRules.check(text, INSTANT_FIELD)
  return instant.ok ? { type: 'instant', text: instant.value } : undefined
}

export function rangeOfDate(date: DateLiteral, timeZone: string): Range {
  if (date.type === 'instant') return point(date.text)
  const next = shiftDay(date.text, 1, 'days')
  const to: Bound = next
    ? { value: startOfDay(timeZone, next).toISOString(), isIncluded: false }
    : { value: LAST_INSTANT, isIncluded: true }
  return { from: { value: startOfDay(timeZone, date.text).toISOString(), isIncluded: true }, to }
}

export const dayOfDate = (date: DateLiteral, timeZone: string): string =>
  date.type === 'day' ? date.text : dayIn(timeZone, new Date(date.text))

export const point = (value: string | number): Range => ({
  from: { value, isIncluded: true },
  to: { value, isIncluded: true },
})

/** For `@now`, hours, days and weeks have fixed lengths; months and years follow the calendar. */
function readMarker(text: string, { now, timeZone }: Calendar): DateLiteral | undefined {
  const [, start, sign, count = '0', unit = 'd'] = MARKER.exec(text) ?? []
  if (start === undefined || !isUnit(unit)) return undefined
  const by = sign === '-' ? -Number(count) : Number(count)
  return start === 'now' ? shiftInstant(now, by, unit) : dayFrom(dayIn(timeZone, now), by, unit)
}

function dayFrom(today: string, by: number, unit: Unit): DateLiteral | undefined {
  if (unit === 'h') return undefined
  const day =
    unit === 'm'
      ? shiftDay(today, by, 'months')
      : unit === 'y'
        ? shiftDay(today, by, 'years')
        : shiftDay(today, unit === 'w' ? by * 7 : by, 'days')
  return day === undefined ? undefined : { type: 'day', text: day }
}

function shiftInstant(now: Date, by: number, unit: Unit): DateLiteral | undefined {
  const moved = new Date(now.getTime())
  if (unit === 'm' || unit === 'y') shiftMonths(moved, unit === 'y' ? by * 12 : by)
  else moved.setTime(moved.getTime() + by * (unit === 'h' ? HOUR_MS : unit === 'd' ? DAY_MS : 7 * DAY_MS))
  const year = moved.getUTCFullYear()
  return year >= 1 && year <= 9999 ? { type: 'instant', text: moved.toISOString() } : undefined
}

const isUnit = (text: string): text is Unit => /^[hdwmy]$/.test(text)

/** The rules of date-times require a field but don't depend on it. */
export const INSTANT_FIELD = {
  id: '',
  name: '',
  label: '',
  kind: 'date-time',
  required: false,
  unique: false,
  default: null,
  options: {},
} as const
