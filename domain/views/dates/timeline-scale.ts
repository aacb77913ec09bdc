import { shiftDay } from '#domain/shared/time.ts'
import { dayNumber, dayText, FIRST_DAY, LAST_DAY } from './date-span.ts'
import { startOfWeek } from './periods.ts'

export const TIMELINE_ZOOMS = ['day', 'week', 'month', 'quarter', 'year'] as const

export type TimelineZoom = (typeof TIMELINE_ZOOMS)[number]

export type TickUnit = 'hours' | 'day' | 'week' | 'month' | 'year'

type Scale = {
  readonly dayPx: number
  /** The units of the two lines of the header. */
  readonly major: TickUnit
  readonly minor: TickUnit
  /** Days before and after the center that can be scrolled to at once. */
  readonly reachDays: number
}

/** The scrollable width stays below 40,000 px, because browsers limit the size of elements. */
export const TIMELINE_SCALES: { readonly [Zoom in TimelineZoom]: Scale } = {
  day: { dayPx: 480, major: 'day', minor: 'hours', reachDays: 30 },
  week: { dayPx: 112, major: 'week', minor: 'day', reachDays: 120 },
  month: { dayPx: 32, major: 'month', minor: 'day', reachDays: 500 },
  quarter: { dayPx: 10, major: 'month', minor: 'week', reachDays: 1_500 },
  year: { dayPx: 2.5, major: 'year', minor: 'month', reachDays: 6_000 },
}

export type Tick = { readonly from: number; readonly to: number }

/** Hours between the ticks of a day. */
const HOURS_PER_TICK = 3

/** The units that overlap the days between `from` and `to`, on the scale of `scaleOfSpan`. */
export function ticksBetween(unit: TickUnit, from: number, to: number, firstWeekday: number): readonly Tick[] {
  const first = Math.max(FIRST_DAY, Math.floor(from))
  const end = Math.min(LAST_DAY + 1, Math.ceil(to))
  const ticks: Tick[] = []
  for (let at = startOfUnit(unit, first, firstWeekday); at < end; ) {
    const next = nextUnit(unit, at)
    ticks.push({ from: at, to: next })
    at = next
  }
  return ticks
}

function startOfUnit(unit: TickUnit, day: number, firstWeekday: number): number {
  if (unit === 'week') return startOfWeek(day, firstWeekday)
  const text = dayText(day)
  if (text === undefined || unit === 'day' || unit === 'hours') return day
  return dayNumber(unit === 'month' ? `${text.slice(0, 7)}-01` : `${text.slice(0, 4)}-01-01`)
}

function nextUnit(unit: TickUnit, at: number): number {
  if (unit === 'hours') return at + HOURS_PER_TICK / 24
  if (unit === 'day') return at + 1
  if (unit === 'week') return at + 7
  const next = shiftDay(dayText(at) ?? '', 1, unit === 'month' ? 'months' : 'years')
  return next === undefined ? LAST_DAY + 1 : dayNumber(next)
}
