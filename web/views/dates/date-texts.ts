import { dayIn } from '#domain/shared/time.ts'
import type { DateKind, DateValues } from '#domain/views/dates/date-span.ts'
import { LOCALE } from '#web/i18n/locale.ts'
import { TIME_ZONE } from './dated-records.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(LOCALE, options)
  formats.set(key, made)
  return made
}

/** Formats a day, which has no time zone. */
export const dayLabel = (day: number, options: Intl.DateTimeFormatOptions): string =>
  formatOf({ ...options, timeZone: 'UTC' }).format(day * 86_400_000)

export const dayRangeLabel = (first: number, last: number, options: Intl.DateTimeFormatOptions): string =>
  formatOf({ ...options, timeZone: 'UTC' }).formatRange(first * 86_400_000, last * 86_400_000)

export const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const

const MEDIUM_DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const

const TIME = { timeStyle: 'short' } as const
const WITH_TIME = { ...MEDIUM_DAY, hour: 'numeric', minute: '2-digit' } as const

const labels = new WeakMap<DateValues, string>()

/** When a record takes place, such as “Mon, Nov 30, 2026, 9:00 – 10:30 AM”. */
export function datesLabel(kind: DateKind, dates: DateValues): string {
  const label = labels.get(dates) ?? writeDates(kind, dates)
  labels.set(dates, label)
  return label
}

function writeDates(kind: DateKind, { start, end }: DateValues): string {
  const format = formatOf(kind === 'date' ? { ...MEDIUM_DAY, timeZone: 'UTC' } : WITH_TIME)
  const [from, to] = [start, end].map((value) => new Date(kind === 'date' ? `${value}T00:00:00Z` : (value ?? '')))
  if (from === undefined || to === undefined) return start
  return end === null || to < from ? format.format(from) : format.formatRange(from, to)
}

export const timeLabel = (instant: string): string => formatOf(TIME).format(new Date(instant))

const HAS_AM_PM = formatOf({ hour: 'numeric' }).resolvedOptions().hour12 === true

/** An hour in local notation, such as “9 AM” or “09:00”. */
export const hourLabel = (hour: number): string =>
  formatOf({ hour: 'numeric', ...(!HAS_AM_PM && { minute: '2-digit' }), timeZone: 'UTC' }).format(hour * 3_600_000)

/** Today in the reader's time zone. */
export const today = (): string => dayIn(TIME_ZONE, new Date())
