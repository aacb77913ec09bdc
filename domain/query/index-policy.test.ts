import { describe, expect, test } from 'vitest'
import { type KnownIndex, MAX_INDEXES, isUnused, decideIndex } from './index-policy.ts'
import type { IndexSpec } from './index-selection.ts'

const now = new Date('2026-11-20T09:00:00.000Z')
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString()

const sortedBy = (field: string): IndexSpec => ({
  equal: [],
  grouped: [],
  range: null,
  covered: [],
  order: [{ field, takes: ['value'], isDescending: false }],
})

const known = (at: number, usedDaysAgo: number): KnownIndex => ({
  id: `i${at}`,
  spec: sortedBy(`f${at}`),
  usedAt: daysAgo(usedDaysAgo),
})

const full = (usedDaysAgo: number) => Array.from({ length: MAX_INDEXES }, (_, at) => known(at, usedDaysAgo + at / 100))

describe('a wish for an index', () => {
  test('is served by one that does the same', () => {
    expect(decideIndex(sortedBy('f2'), full(0), now)).toEqual({ type: 'served', by: 'i2' })
  })

  test('is built while there is room', () => {
    expect(decideIndex(sortedBy('new'), [known(1, 0)], now)).toEqual({ type: 'build', insteadOf: null })
  })

  test('takes the place of the one that was unused for longest, if that was a day or more', () => {
    expect(decideIndex(sortedBy('new'), full(2), now)).toEqual({ type: 'build', insteadOf: `i${MAX_INDEXES - 1}` })
    expect(decideIndex(sortedBy('new'), full(0.5), now)).toEqual({ type: 'full' })
  })
})

test('an index goes when nobody used it for thirty days', () => {
  expect(isUnused(known(1, 29.9), now)).toBe(false)
  expect(isUnused(known(1, 30), now)).toBe(true)
})
