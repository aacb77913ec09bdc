import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceOf, digest, fingerprintOf, samplesOf } from './upload-storage.ts'

const aFile = (text: string, name = 'plan.txt', lastModified = 1000) => new File([text], name, { lastModified })
const difference = async (one: File, other: File) => differenceOf(await fingerprintOf(one), await fingerprintOf(other))

describe('a file selected again to resume its upload', () => {
  test('is accepted if its name, size, date and content match', async () => {
    expect(await difference(aFile('the plan'), aFile('the plan'))).toBeUndefined()
  })

  test('is accepted if only its date or only its name differs', async () => {
    expect(await difference(aFile('the plan'), aFile('the plan', 'plan.txt', 2000))).toBeUndefined()
    expect(await difference(aFile('the plan'), aFile('the plan', 'plan (1).txt'))).toBeUndefined()
  })

  test('is rejected if its size, its content, or both its name and date differ', async () => {
    expect(await difference(aFile('the plan'), aFile('the plans'))).toMatch(/has 8 bytes, but this one has 9/)
    expect(await difference(aFile('the plan'), aFile('the plot'))).toMatch(/content differs/)
    expect(await difference(aFile('the plan'), aFile('the plan', 'other.txt', 2000))).toMatch(
      /modification date differs/,
    )
  })
})

test('the fingerprint samples the start, middle and end of a file of any size', () => {
  fc.assert(
    fc.property(fc.nat(5_000_000_000), (bytes) => {
      const samples = samplesOf(bytes)
      expect(samples[0]?.[0]).toBe(0)
      expect(samples.at(-1)?.[1]).toBe(bytes)
      const ends = samples.map(([from, to], at) => [samples[at - 1]?.[1] ?? 0, from, to] as const)
      for (const [before, from, to] of ends) expect(before <= from && from <= to).toBe(true)
      expect(samples.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThanOrEqual(3 * 65_536)
    }),
  )
})

test('changing one byte changes the fingerprint', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, place, by) => {
      const at = place % one.length
      const other = one.map((byte, index) => (index === at ? (byte + by) % 256 : byte))
      expect(digest(other)).not.toBe(digest(one))
    }),
  )
})
