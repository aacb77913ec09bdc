import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { Problem } from '#domain/shared/problem.ts'
import { perTier } from '#tests/support/test-tier.ts'
import { assertStorableJson, createJsonValueCounter, readText } from './read-json-body.ts'

function refusedOf(text: string): readonly string[] {
  try {
    assertStorableJson(text)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.details.errors ?? []).map(({ path, code }) => `${path}: ${code}`)
  }
}

const LONG = '12345678901234567'

test('numbers that would be rounded and unsupported characters are reported with the property name', () => {
  expect(refusedOf(`{"a":{"b":${LONG}},"c" : [1, ${LONG}],"d":"\\u0000","e":"${LONG}"}`)).toEqual([
    'b: too-precise',
    'c: too-precise',
    'd: control-character',
  ])
})

test("an escaped backslash doesn't escape the next character", () => {
  expect(refusedOf(String.raw`{"a":"\\u0000","b":"\\\"${LONG}\\"}`)).toEqual([])
  expect(refusedOf(String.raw`{"a":"\\\u0000"}`)).toEqual(['a: control-character'])
})

test('a text with millions of escape sequences is scanned without failing', () => {
  for (const sign of ['\\n', '\\\\', '\\"', 'x'])
    expect(refusedOf(`{"a":"${sign.repeat(5_000_000)}","b":${LONG}}`)).toEqual(['b: too-precise'])
})

test('a number with millions of digits is rejected immediately', () => {
  for (const number of [`1${'0'.repeat(5_000_000)}1`, `0.${'0'.repeat(5_000_000)}1`, '1'.repeat(5_000_000)])
    expect(refusedOf(`{"a":${number}}`).length).toBeLessThan(2)
})

test('at most a hundred of many invalid values are reported', () => {
  expect(refusedOf(`[${`${LONG},`.repeat(600_000)}1]`)).toHaveLength(100)
})

afterEach(() => vi.useRealTimers())

const slowBody = (parts: number, seconds: number): Readable =>
  Readable.from(Array.from({ length: parts }, () => Buffer.from('x'))).on('data', () =>
    vi.advanceTimersByTime(seconds * 1000),
  )

test('a slow body is read for at most a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  expect(await readText(slowBody(5, 10), 100)).toBe('xxxxx')
  await expect(readText(slowBody(50, 10), 100)).rejects.toMatchObject({ code: 'invalid-request' })
})

const countIn = (parts: readonly Uint8Array[]): number => {
  const count = createJsonValueCounter()
  for (const part of parts) count.take(part)
  return count.sum()
}

/** Computes the expected count from the parsed value. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return 1 + Math.max(0, inside.length - 1) + inside.reduce<number>((sum, one) => sum + countOf(one), 0)
}

test('values in a body are counted correctly for any text and any chunk boundaries', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(), fc.nat(), (value, one, other) => {
      const bytes = Buffer.from(JSON.stringify(value, undefined, one % 3))
      const [from, to] = [one % (bytes.length + 1), other % (bytes.length + 1)].sort((less, more) => less - more)
      expect(countIn([bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)])).toBe(countOf(value))
    }),
    { numRuns: perTier(100) },
  )
})

test("brackets and commas inside strings aren't counted as values", () => {
  expect(countIn([Buffer.from(String.raw`{"a\"[,":"{\\","b\\":[","]}`)])).toBe(3)
})
