import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wallTimeOf } from '#domain/shared/time.ts'
import {
  dayNumber,
  dayText,
  FIRST_DAY,
  LAST_DAY,
  moveDates,
  readDateValues,
  scaleOfSpan,
  shiftValue,
  spanOfDates,
  valueOnDay,
} from './date-span.ts'

const ZONES = ['UTC', 'Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia']
const zone = fc.constantFrom(...ZONES)
const day = fc.integer({ min: dayNumber('1950-01-01'), max: dayNumber('2080-12-31') }).map((at) => dayText(at) ?? '')
const instant = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2080-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString())
const days = fc.integer({ min: -4_000, max: 4_000 })

const VIENNA = 'Europe/Vienna'
const spanOf = (start: string, end: string | null = null, timeZone = VIENNA) =>
  spanOfDates('date-time', { start, end }, timeZone)

describe('the days of a record', () => {
  test('convert to numbers and back for every day of the calendar', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (at) => {
        expect(dayNumber(dayText(at) ?? '')).toBe(at)
      }),
    )
    expect([dayText(FIRST_DAY), dayText(LAST_DAY)]).toEqual(['0001-01-01', '9999-12-31'])
    expect([dayText(FIRST_DAY - 1), dayText(LAST_DAY + 1)]).toEqual([undefined, undefined])
  })

  test('are the same in every time zone for dates without a time', () => {
    fc.assert(
      fc.property(day, day, zone, (one, other, timeZone) => {
        const [start = '', end = ''] = [one, other].toSorted()
        const span = spanOfDates('date', { start, end }, timeZone)
        expect([dayText(span.first), dayText(span.last)]).toEqual([start, end])
      }),
    )
  })

  test('are local days for date-times', () => {
    expect(dayText(spanOf('2026-03-01T23:30:00.000Z').first)).toBe('2026-03-02')
    expect(dayText(spanOf('2026-03-01T23:30:00.000Z', null, 'America/New_York').first)).toBe('2026-03-01')
    expect(spanOf('2026-07-01T06:15:00.000Z').startMinute).toBe(8 * 60 + 15)
  })

  test('do not include a day on which a record ends at midnight', () => {
    const { first, last, endMinute } = spanOf('2026-03-01T21:00:00.000Z', '2026-03-02T23:00:00.000Z')
    expect([dayText(first), dayText(last), endMinute]).toEqual(['2026-03-01', '2026-03-02', 1440])
    expect(spanOf('2026-03-01T23:00:00.000Z', '2026-03-01T23:00:00.000Z')).toMatchObject({ startMinute: 0 })
  })

  test('are only the first day if the end is before the start', () => {
    const { first, last, isReversed } = spanOf('2026-03-05T12:00:00.000Z', '2026-03-01T12:00:00.000Z')
    expect([dayText(first), dayText(last), isReversed]).toEqual(['2026-03-05', '2026-03-05', true])
  })

  test('never end before they begin', () => {
    fc.assert(
      fc.property(instant, fc.option(instant), zone, (start, end, timeZone) => {
        const span = spanOfDates('date-time', { start, end }, timeZone)
        const { from, to } = scaleOfSpan(span)
        expect(span.last).toBeGreaterThanOrEqual(span.first)
        if (span.endMinute !== span.startMinute || span.first !== span.last)
          expect(to).toBeGreaterThanOrEqual(from - 1 / 8)
      }),
    )
  })

  test('are missing without a valid start, and an invalid end counts as empty', () => {
    const read = (start: unknown, end: unknown = null) => readDateValues('date', start, end)
    expect([read(null), read('soon'), read('2026-02-30'), read(5)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(read('2026-02-03', '2026-02-31')).toEqual({ start: '2026-02-03', end: null })
    expect(readDateValues('date-time', '2026-02-30T10:00:00.000Z', null)).toBeUndefined()
    expect(readDateValues('date-time', '9999-12-31T23:59:59.999Z', null)).toBeDefined()
  })
})

describe('moving a record by days', () => {
  test('keeps the time of day across changes to and from daylight saving time', () => {
    expect(shiftValue('date-time', '2026-03-28T08:30:15.250Z', { days: 1 }, VIENNA)).toBe('2026-03-29T07:30:15.250Z')
    expect(shiftValue('date-time', '2026-10-24T07:30:00.000Z', { days: 1 }, VIENNA)).toBe('2026-10-25T08:30:00.000Z')
    fc.assert(
      fc.property(instant, days, zone, (value, by, timeZone) => {
        const moved = shiftValue('date-time', value, { days: by }, timeZone) ?? ''
        const [before, after] = [wallTimeOf(timeZone, new Date(value)), wallTimeOf(timeZone, new Date(moved))]
        // A time that doesn't exist on the new day moves to after the gap.
        const again = shiftValue('date-time', moved, { days: 0 }, timeZone)
        expect(again).toBe(moved)
        if (
          dayNumber(after.slice(0, 10)) - dayNumber(before.slice(0, 10)) === by &&
          after.slice(11) === before.slice(11)
        )
          return
        const gapMinutes = (Date.parse(`${after}Z`) - Date.parse(`${before}Z`)) / 60_000 - by * 1_440
        expect(gapMinutes).toBeGreaterThan(0)
        expect(gapMinutes).toBeLessThanOrEqual(1_440)
      }),
    )
  })

  test('moves a time that is skipped on the new day to after the gap', () => {
    expect(shiftValue('date-time', '2026-03-28T01:30:00.000Z', { days: 1 }, VIENNA)).toBe('2026-03-29T01:30:00.000Z')
  })

  test('can also change the time of day, and then the day', () => {
    const shift = (minutes: number) => shiftValue('date-time', '2026-07-01T21:45:10.000Z', { days: 0, minutes }, VIENNA)
    expect([shift(10), shift(15), shift(-1_440)]).toEqual([
      '2026-07-01T21:55:10.000Z',
      '2026-07-01T22:00:10.000Z',
      '2026-06-30T21:45:10.000Z',
    ])
    expect(shiftValue('date', '2026-07-01', { days: 0, minutes: 900 }, VIENNA)).toBe('2026-07-01')
  })

  test('can be reversed for dates without a time', () => {
    fc.assert(
      fc.property(day, days, zone, (value, by, timeZone) => {
        const moved = shiftValue('date', value, { days: by }, timeZone) ?? ''
        expect(dayNumber(moved) - dayNumber(value)).toBe(by)
        expect(shiftValue('date', moved, { days: -by }, timeZone)).toBe(value)
      }),
    )
  })

  test('keeps its length in days', () => {
    fc.assert(
      fc.property(day, fc.nat(400), days, (start, length, by) => {
        const end = dayText(dayNumber(start) + length) ?? ''
        const moved = moveDates('date', { start, end }, { edge: 'both', days: by }, 'UTC')
        expect(dayNumber(moved?.end ?? '') - dayNumber(moved?.start ?? '')).toBe(length)
      }),
    )
  })

  test('is rejected outside the years 1 to 9999', () => {
    expect(shiftValue('date', '9999-12-31', { days: 1 }, 'UTC')).toBeUndefined()
    expect(shiftValue('date', '0001-01-01', { days: -1 }, 'UTC')).toBeUndefined()
    expect(shiftValue('date-time', '9999-12-31T12:00:00.000Z', { days: 1 }, VIENNA)).toBeUndefined()
    expect(
      moveDates('date', { start: '9999-12-30', end: '9999-12-31' }, { edge: 'both', days: 1 }, 'UTC'),
    ).toBeUndefined()
  })

  test('can move only one end, but not past the other', () => {
    const dates = { start: '2026-03-05', end: '2026-03-08' }
    const move = (edge: 'start' | 'end', by: number) => moveDates('date', dates, { edge, days: by }, 'UTC')
    expect(move('end', -3)).toEqual({ start: '2026-03-05', end: '2026-03-05' })
    expect(move('start', 3)).toEqual({ start: '2026-03-08', end: '2026-03-08' })
    expect([move('end', -4), move('start', 4)]).toEqual([undefined, undefined])
  })

  test('adds a missing end, which counts from the start', () => {
    const start = '2026-03-05'
    expect(moveDates('date', { start, end: null }, { edge: 'end', days: 2 }, 'UTC')).toEqual({
      start,
      end: '2026-03-07',
    })
    expect(moveDates('date', { start, end: null }, { edge: 'both', days: 2 }, 'UTC')?.end).toBeNull()
  })

  test('can correct an end that is before the start', () => {
    const dates = { start: '2026-03-05', end: '2026-03-01' }
    expect(moveDates('date', dates, { edge: 'end', days: 4 }, 'UTC')).toEqual({
      start: '2026-03-05',
      end: '2026-03-05',
    })
    expect(moveDates('date', dates, { edge: 'both', days: 1 }, 'UTC')).toEqual({
      start: '2026-03-06',
      end: '2026-03-02',
    })
  })
})

test('a record that is created on a day is on that day', () => {
  fc.assert(
    fc.property(day, zone, (on, timeZone) => {
      const start = valueOnDay('date-time', on, timeZone)
      // Apia skipped 30 December 2011.
      if (timeZone === 'Pacific/Apia' && on === '2011-12-30') return
      expect(dayText(spanOfDates('date-time', { start, end: null }, timeZone).first)).toBe(on)
      expect(valueOnDay('date', on, timeZone)).toBe(on)
    }),
  )
  expect(valueOnDay('date-time', '2026-07-01', VIENNA, 14 * 60 + 45)).toBe('2026-07-01T12:45:00.000Z')
})
