import fc from 'fast-check'
import { expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { createJsonValueCounter } from './json-value-counter.ts'

const countIn = (parts: readonly Uint8Array[]): number => {
  const count = createJsonValueCounter()
  for (const part of parts) count.take(part)
  return count.sum()
}

/** The expected count, from the parsed value. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return 1 + Math.max(0, inside.length - 1) + inside.reduce<number>((sum, one) => sum + countOf(one), 0)
}

test('lists, objects and following values are counted, whatever the texts and chunk boundaries', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(), fc.nat(), (value, one, other) => {
      const bytes = Buffer.from(JSON.stringify(value, undefined, one % 3))
      const [from, to] = [one % (bytes.length + 1), other % (bytes.length + 1)].sort((less, more) => less - more)
      expect(countIn([bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)])).toBe(countOf(value))
    }),
    { numRuns: perTier(100) },
  )
})

test('brackets and commas in quotes are text', () => {
  expect(countIn([Buffer.from(String.raw`{"a\"[,":"{\\","b\\":[","]}`)])).toBe(3)
})
