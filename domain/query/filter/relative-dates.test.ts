import { describe, expect, test } from 'vitest'
import { readDateLiteral, rangeOfDate } from './relative-dates.ts'

const calendar = { now: new Date('2026-03-31T22:30:00.000Z'), timeZone: 'Europe/Vienna' }

const read = (text: string, at = calendar) => readDateLiteral(text, at)?.text

describe('a marker', () => {
  test.each([
    ['@today', '2026-04-01'],
    ['@today-1d', '2026-03-31'],
    ['@today+2w', '2026-04-15'],
    ['@today-1m', '2026-03-01'],
    ['@today-1y', '2025-04-01'],
    ['@now', '2026-03-31T22:30:00.000Z'],
    ['@now-2h', '2026-03-31T20:30:00.000Z'],
    ['@now-1d', '2026-03-30T22:30:00.000Z'],
    ['@now-1w', '2026-03-24T22:30:00.000Z'],
    ['@now-1m', '2026-02-28T22:30:00.000Z'],
    ['@now+1y', '2027-03-31T22:30:00.000Z'],
  ])('%s is %s', (marker, text) => {
    expect(read(marker)).toBe(text)
  })

  test('uses the actor’s time zone', () => {
    expect(read('@today', { ...calendar, timeZone: 'UTC' })).toBe('2026-03-31')
    expect(read('@today', { ...calendar, timeZone: 'America/New_York' })).toBe('2026-03-31')
  })

  test.each(['@today-2h', '@tomorrow', '@today-99999y', '@now+9999y', '@today-d', '@today-1q', '@me'])(
    '%s is rejected',
    (marker) => {
      expect(readDateLiteral(marker, calendar)).toBeUndefined()
    },
  )
})

describe('a day in a date-time filter', () => {
  const span = (day: string, timeZone: string) => {
    const { from, to } = rangeOfDate({ type: 'day', text: day }, timeZone)
    return [from?.value, to?.value]
  }

  test('lasts from midnight to midnight in the time zone, even if that isn’t 24 hours', () => {
    expect(span('2026-03-28', 'Europe/Vienna')).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'])
    expect(span('2026-03-29', 'Europe/Vienna')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
    expect(span('2026-10-25', 'Europe/Vienna')).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'])
    expect(span('2026-07-01', 'Pacific/Kiritimati')).toEqual(['2026-06-30T10:00:00.000Z', '2026-07-01T10:00:00.000Z'])
  })

  test('starts after the gap if the clock skips midnight', () => {
    expect(span('2024-09-08', 'America/Santiago')[0]).toBe('2024-09-08T04:00:00.000Z')
  })

  test('can be the first or last supported date', () => {
    expect(span('9999-12-31', 'Europe/Vienna')[1]).toBe('9999-12-31T23:59:59.999Z')
    expect(span('0001-01-01', 'UTC')[0]).toBe('0001-01-01T00:00:00.000Z')
  })
})
