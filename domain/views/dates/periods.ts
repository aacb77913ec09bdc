import { dayNumber, LAST_DAY } from './date-span.ts'
import { shiftDay } from '#domain/shared/time.ts'

export const CALENDAR_PERIODS = ['month', 'week', 'day', 'agenda'] as const

export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number]

/** Consecutive days, as numbers. */
export type DayRange = { readonly first: number; readonly count: number }

const WEEK = 7

/** ISO weekday: 1 is Monday, 7 is Sunday. Day 0 was a Thursday. */
export const weekdayOf = (day: number): number => ((((day + 3) % WEEK) + WEEK) % WEEK) + 1

export const startOfWeek = (day: number, firstWeekday: number): number =>
  day - ((weekdayOf(day) - firstWeekday + WEEK) % WEEK)

const SUNDAY = 7
const MONDAY = 1

/** Regions whose weeks start on Sunday, for browsers that don't know the weeks of a locale. */
const SUNDAY_REGIONS = /^(?:BR|CA|CN|HK|IL|IN|JP|KR|MX|PH|TH|TW|US|ZA)$/

type WeekInfo = { readonly firstDay: number }
type LocaleWithWeeks = Intl.Locale & { readonly getWeekInfo?: () => WeekInfo; readonly weekInfo?: WeekInfo }

/** ISO weekday on which weeks start in a locale. */
export function firstWeekdayOf(tag: string): number {
  const locale: LocaleWithWeeks = new Intl.Locale(tag)
  const known = locale.getWeekInfo?.() ?? locale.weekInfo
  return known?.firstDay ?? (SUNDAY_REGIONS.test(locale.maximize().region ?? '') ? SUNDAY : MONDAY)
}

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`

function monthOf(day: string): DayRange {
  const first = dayNumber(firstOfMonth(day))
  const next = shiftDay(firstOfMonth(day), 1, 'months')
  return { first, count: (next === undefined ? LAST_DAY + 1 : dayNumber(next)) - first }
}

/** The days that a calendar shows for a period around a day. A month has whole weeks. */
export function daysInSight(period: CalendarPeriod, day: string, firstWeekday: number): DayRange {
  switch (period) {
    case 'day':
      return { first: dayNumber(day), count: 1 }
    case 'week':
      return { first: startOfWeek(dayNumber(day), firstWeekday), count: WEEK }
    case 'agenda':
      return monthOf(day)
    case 'month': {
      const { first, count } = monthOf(day)
      const start = startOfWeek(first, firstWeekday)
      const end = startOfWeek(first + count - 1, firstWeekday) + WEEK
      return { first: start, count: end - start }
    }
  }
}

/** A day of the previous or next period, months by their first day; stays within the years 1 to 9999. */
export function shiftPeriod(period: CalendarPeriod, day: string, by: 1 | -1): string {
  if (period === 'month' || period === 'agenda') return shiftDay(firstOfMonth(day), by, 'months') ?? day
  return shiftDay(day, period === 'week' ? by * WEEK : by, 'days') ?? day
}
