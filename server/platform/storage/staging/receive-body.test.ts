import { expect, test } from 'vitest'
import { createRateMeter } from './receive-body.ts'

const RATE = { bytes: 1000, everyMs: 60_000 }

test('a sender at one byte per second counts as too slow after a minute', () => {
  const meter = createRateMeter(RATE)
  const answers = Array.from({ length: 60 }, () => meter.isTooSlow(1, 1000))
  expect(answers.indexOf(true)).toBe(59)
})

test('a sender at the minimum rate per minute never counts as too slow, even in bursts', () => {
  const meter = createRateMeter(RATE)
  for (let minute = 0; minute < 100; minute += 1) {
    expect(meter.isTooSlow(1000, 30_000)).toBe(false)
    expect(meter.isTooSlow(0, 30_000)).toBe(false)
  }
})

test('only time spent waiting for the sender counts toward the time limit', () => {
  const meter = createRateMeter(RATE)
  expect(Array.from({ length: 1000 }, () => meter.isTooSlow(1, 0)).includes(true)).toBe(false)
})
