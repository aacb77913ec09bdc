import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillSeries } from './fill-series.ts'

function onwards(given: readonly string[], count = 3): string[] {
  return fillSeries({ given, count, how: 'series' })
}

function backwards(given: readonly string[], count = 3): string[] {
  return fillSeries({ given, count, how: 'series', isBackwards: true })
}

test('a single value is repeated', () => {
  for (const value of ['7', '2026-03-09', 'Box 1', 'open', '']) expect(onwards([value], 2)).toEqual([value, value])
})

test('numbers continue with the same step', () => {
  expect(onwards(['1', '2'])).toEqual(['3', '4', '5'])
  expect(onwards(['10', '7', '4'])).toEqual(['1', '-2', '-5'])
  expect(onwards(['5', '5'])).toEqual(['5', '5', '5'])
})

test('decimal series are exact and keep the number of decimal places', () => {
  expect(onwards(['0.1', '0.2'])).toEqual(['0.3', '0.4', '0.5'])
  expect(onwards(['1.50', '1.75'], 2)).toEqual(['2.00', '2.25'])
  expect(onwards(['1', '1.5'], 2)).toEqual(['2', '2.5'])
})

test('numbers without a constant step are repeated', () => {
  expect(onwards(['1', '2', '4'], 4)).toEqual(['1', '2', '4', '1'])
})

test('dates continue by days, or by months if the day of the month is the same', () => {
  expect(onwards(['2024-02-28', '2024-02-29'], 2)).toEqual(['2024-03-01', '2024-03-02'])
  expect(onwards(['2026-03-02', '2026-03-09'], 2)).toEqual(['2026-03-16', '2026-03-23'])
  expect(onwards(['2026-11-15', '2026-12-15'], 2)).toEqual(['2027-01-15', '2027-02-15'])
  expect(onwards(['2024-01-01', '2025-01-01'], 2)).toEqual(['2026-01-01', '2027-01-01'])
  expect(onwards(['2026-01-31', '2026-03-31'], 1)).toEqual(['2026-05-29'])
})

test('an invalid date in a series leaves the cell empty', () => {
  expect(onwards(['9999-12-30', '9999-12-31'], 1)).toEqual([''])
  expect(backwards(['0000-01-01', '0001-01-01'], 1)).toEqual([''])
})

test('text with a trailing number is incremented, keeping leading zeros', () => {
  expect(onwards(['Box 1', 'Box 2'])).toEqual(['Box 3', 'Box 4', 'Box 5'])
  expect(onwards(['A-098', 'A-099'], 2)).toEqual(['A-100', 'A-101'])
  expect(onwards(['007', '008'], 2)).toEqual(['009', '010'])
  expect(onwards(['Box 1', 'Crate 2'], 2)).toEqual(['Box 1', 'Crate 2'])
})

test('text values are repeated in order', () => {
  expect(onwards(['open', 'closed'])).toEqual(['open', 'closed', 'open'])
})

test('filling upward continues the series backward', () => {
  expect(backwards(['10', '12'])).toEqual(['4', '6', '8'])
  expect(backwards(['a', 'b', 'c'], 4)).toEqual(['c', 'a', 'b', 'c'])
  expect(backwards(['2026-03-01', '2026-03-02'], 2)).toEqual(['2026-02-27', '2026-02-28'])
  expect(backwards(['Box 1', 'Box 2'], 2)).toEqual(['', 'Box 0'])
})

test('filling with copies repeats the values instead of continuing the series', () => {
  expect(fillSeries({ given: ['1', '2'], count: 3, how: 'copy' })).toEqual(['1', '2', '1'])
})

test('any arithmetic progression continues in both directions', () => {
  const whole = fc.integer({ min: -1_000_000, max: 1_000_000 })
  fc.assert(
    fc.property(whole, whole, fc.integer({ min: 2, max: 5 }), fc.nat(9), (first, step, length, count) => {
      const numberAt = (i: number) => String(first + step * i)
      const given = Array.from({ length }, (_, i) => numberAt(i))
      expect(onwards(given, count)).toEqual(Array.from({ length: count }, (_, i) => numberAt(length + i)))
      expect(backwards(given, count)).toEqual(Array.from({ length: count }, (_, i) => numberAt(i - count)))
    }),
  )
})

test('a series has the requested number of values', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), fc.nat(9), fc.boolean(), (given, count, isBackwards) => {
      const made = fillSeries({ given, count, how: 'series', isBackwards })
      expect(made).toHaveLength(given.length === 0 ? 0 : count)
    }),
  )
})
