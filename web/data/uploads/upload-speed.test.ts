import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countBytes, startMeter, timeLeftText } from './upload-types.ts'

describe('the upload speed', () => {
  test('is the measured speed once enough time has passed', () => {
    const start = startMeter(0, 0)
    expect(countBytes(start, 100_000, 100).bytesPerSecond).toBe(0)
    expect(countBytes(start, 1_000_000, 1000).bytesPerSecond).toBe(1_000_000)
  })

  test('does not jump during a burst, and decreases during a stall', () => {
    const steady = countBytes(startMeter(0, 0), 1_000_000, 1000)
    const burst = countBytes(steady, 6_000_000, 2000)
    expect(burst.bytesPerSecond).toBeGreaterThan(1_000_000)
    expect(burst.bytesPerSecond).toBeLessThan(2_500_000)
    expect(countBytes(steady, 1_000_000, 4000).bytesPerSecond).toBeCloseTo(500_000, -3)
  })

  test('does not change when bytes are sent again', () => {
    const steady = countBytes(startMeter(0, 0), 5_000_000, 1000)
    expect(countBytes(steady, 0, 2000)).toEqual({ atMs: 2000, bytes: 0, bytesPerSecond: steady.bytesPerSecond })
  })

  test('is within the range of measured speeds for any input', () => {
    const steps = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 5000 }), bytes: fc.nat(10_000_000) }))
    fc.assert(
      fc.property(steps, (all) => {
        let [meter, atMs, bytes, most] = [startMeter(0, 0), 0, 0, 0]
        for (const step of all) {
          const before = meter
          atMs += step.ms
          bytes += step.bytes
          meter = countBytes(meter, bytes, atMs)
          if (meter !== before) most = Math.max(most, ((bytes - before.bytes) / (atMs - before.atMs)) * 1000)
          expect(meter.bytesPerSecond).toBeLessThanOrEqual(most * 1.000001)
          expect(meter.bytesPerSecond).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})

test.each([
  [3, 'a few seconds left'],
  [11, '20 s left'],
  [54, '60 s left'],
  [55, '1 min left'],
  [170, '3 min left'],
  [3599, '60 min left'],
  [3600, '1 h left'],
  [4800, '1 h 20 min left'],
  [7190, '2 h left'],
  [90_000, 'more than a day left'],
])('a remaining time of %i seconds is shown as “%s”', (seconds, words) => {
  expect(timeLeftText(seconds)).toBe(words)
})
