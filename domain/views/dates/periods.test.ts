import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayNumber, dayText } from './date-span.ts'
import { daysInSight, firstWeekdayOf, shiftPeriod, startOfWeek, weekdayOf } from './periods.ts'

const day = fc.integer({ min: dayNumber('1600-01-01'), max: dayNumber('9990-01-01') }).map((at) => dayText(at) ?? '')
const weekday = fc.constantFrom(1, 6, 7)

test('weekdays agree with the calendar', () => {
  expect(['2026-11-29', '2026-11-30', '1969-12-31', '0001-01-01'].map((text) => weekdayOf(dayNumber(text)))).toEqual([
    7, 1, 3, 1,
  ])
})

test('weeks start on the day that the locale uses', () => {
  expect(['de-AT', 'en-GB', 'en-US', 'pt-BR', 'ar-EG'].map(firstWeekdayOf)).toEqual([1, 1, 7, 7, 6])
})

describe('the days in sight', () => {
  test('of a month are whole weeks that contain every day of it', () => {
    fc.assert(
      fc.property(day, weekday, (at, firstWeekday) => {
        const { first, count } = daysInSight('month', at, firstWeekday)
        const month = daysInSight('agenda', at, firstWeekday)
        expect([weekdayOf(first), count % 7]).toEqual([firstWeekday, 0])
        expect(month.first - first).toBeGreaterThanOrEqual(0)
        expect(month.first - first).toBeLessThan(7)
        expect(first + count - (month.first + month.count)).toBeGreaterThanOrEqual(0)
        expect(first + count - (month.first + month.count)).toBeLessThan(7)
      }),
    )
  })

  test('of February 2026 are four weeks if weeks start on Sunday, and five if they start on Monday', () => {
    expect([7, 1].map((first) => daysInSight('month', '2026-02-10', first).count)).toEqual([28, 35])
  })

  test('of a week contain the day', () => {
    fc.assert(
      fc.property(day, weekday, (at, firstWeekday) => {
        const { first } = daysInSight('week', at, firstWeekday)
        expect(first).toBe(startOfWeek(dayNumber(at), firstWeekday))
        expect(dayNumber(at) - first).toBeLessThan(7)
      }),
    )
  })
})

describe('going to another period', () => {
  test('never skips a short month', () => {
    expect(shiftPeriod('month', '2026-01-31', 1)).toBe('2026-02-01')
    expect(shiftPeriod('month', '2026-03-31', -1)).toBe('2026-02-01')
    expect(shiftPeriod('week', '2026-12-30', 1)).toBe('2027-01-06')
    expect(shiftPeriod('day', '2026-03-01', -1)).toBe('2026-02-28')
  })

  test('stays within the calendar', () => {
    expect(shiftPeriod('month', '9999-12-15', 1)).toBe('9999-12-15')
    expect(shiftPeriod('day', '0001-01-01', -1)).toBe('0001-01-01')
  })
})
