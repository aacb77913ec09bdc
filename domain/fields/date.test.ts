import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDay } from '#domain/shared/time.ts'

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0')

test('accepts exactly the dates that JavaScript’s Date considers valid', () => {
  const parts = fc.tuple(fc.oneof(fc.nat(9999), fc.constantFrom(1900, 2000, 2024)), fc.nat(14), fc.nat(33))
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const date = new Date(0)
      date.setUTCFullYear(year, month - 1, day)
      const isThere = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
      expect(isDay(`${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`)).toBe(isThere)
    }),
    { numRuns: 2_000 },
  )
})

test('text that isn’t an ISO date is rejected', () => {
  for (const text of ['2024-1-01', '2024-01-1', '24-01-01', '2024-01-01 ', '2024/01/01', '']) {
    expect(isDay(text)).toBe(false)
  }
})
