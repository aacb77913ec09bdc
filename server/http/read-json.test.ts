import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readText } from './read-json.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** A body whose parts come so many seconds after one another. */
const slowBody = (parts: number, seconds: number): Readable =>
  Readable.from(Array.from({ length: parts }, () => Buffer.from('x'))).on('data', () =>
    vi.advanceTimersByTime(seconds * 1000),
  )

test('a body that comes slowly is read for a minute, and no longer', async () => {
  expect(await readText(slowBody(5, 10), 100)).toBe('xxxxx')
  await expect(readText(slowBody(50, 10), 100)).rejects.toMatchObject({ code: 'invalid-request' })
})
