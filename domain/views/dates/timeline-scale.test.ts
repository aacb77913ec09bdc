import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayNumber, dayText } from './date-span.ts'
import { TIMELINE_SCALES, TIMELINE_ZOOMS, ticksBetween } from './timeline-scale.ts'

test('ticks cover the visible days without gaps', () => {
  const unit = fc.constantFrom('hours', 'day', 'week', 'month', 'year')
  const from = fc.integer({ min: dayNumber('1900-01-01'), max: dayNumber('2100-01-01') })
  fc.assert(
    fc.property(unit, from, fc.integer({ min: 1, max: 60 }), (each, first, count) => {
      const ticks = ticksBetween(each, first, first + count, 1)
      expect(ticks[0]?.from).toBeLessThanOrEqual(first)
      expect(ticks.at(-1)?.to).toBeGreaterThanOrEqual(first + count)
      for (const [at, tick] of ticks.entries()) if (at > 0) expect(tick.from).toBe(ticks[at - 1]?.to)
    }),
  )
})

test('ticks of months and years start on their first day', () => {
  const starts = (unit: 'month' | 'year') =>
    ticksBetween(unit, dayNumber('2026-02-10'), dayNumber('2027-01-20'), 1).map(({ from }) => dayText(from))
  expect(starts('year')).toEqual(['2026-01-01', '2027-01-01'])
  expect([starts('month').length, starts('month')[0], starts('month').at(-1)]).toEqual([12, '2026-02-01', '2027-01-01'])
})

test('ticks end with the calendar', () => {
  const last = dayNumber('9999-12-20')
  expect(ticksBetween('month', last, last + 400, 1).map(({ from }) => dayText(from))).toEqual(['9999-12-01'])
})

test('a timeline is never wider than browsers allow', () => {
  for (const zoom of TIMELINE_ZOOMS) {
    const { dayPx, reachDays } = TIMELINE_SCALES[zoom]
    expect(dayPx * reachDays * 2).toBeLessThan(40_000)
  }
})
