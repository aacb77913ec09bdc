import { beforeEach, describe, expect, test } from 'vitest'
import type { CollectionRecord } from '#domain/records/record.ts'
import { type CommitNotice, type ChangeFeed, createChangeFeed } from '#server/platform/events/change-feed.ts'
import { parseCommitSnapshot } from '#server/platform/database/database.ts'
import { raceCancellation, cancellationSignal, withCancellation } from '#server/platform/database/cancellation.ts'
import { createBackgroundQueue } from '#server/platform/concurrency/background-queue.ts'
import { type ResultCache, type ResultSnapshot, type CacheSubject, createResultCache } from './result-cache.ts'

let feed: ChangeFeed
let ms = 0
let failures: unknown[] = []
let kept: ResultCache<CacheSubject, number>

beforeEach(() => {
  feed = createChangeFeed()
  ms = 0
  failures = []
  const line = createBackgroundQueue((error) => failures.push(error))
  kept = createResultCache(
    { feed, line, nowMs: () => ms },
    {
      // The cached value counts applied changes; a record with version 13 can't be applied.
      follow: (value, { change }) => (change.after?.version === 13 ? undefined : value + 1),
      bytesOf: (value) => value,
      maxEntries: 3,
      maxBytes: 1000,
    },
  )
})

const about = (key: string, ...reached: string[]): CacheSubject => ({
  key,
  collection: 'tasks',
  reached: new Set(reached),
})

const record = (version: number): CollectionRecord => ({
  id: 'r',
  collection: 'tasks',
  version,
  createdAt: '',
  createdBy: null,
  updatedAt: '',
  updatedBy: null,
  values: {},
})

const reported = (mark: bigint, count = 1, version = 1): CommitNotice => ({
  mark,
  changed: new Map([['tasks', Array.from({ length: count }, () => ({ before: null, after: record(version) }))]]),
})

const seen = (value: number, last: number): ResultSnapshot<number> => ({
  value,
  view: parseCommitSnapshot(String(last)),
})
const reading =
  (value: number, last = 0) =>
  () =>
    Promise.resolve(seen(value, last))

describe('a cached result', () => {
  test('is updated with exactly the commits that its query did not include', async () => {
    await kept.read(about('a'), reading(100, 5))
    for (const mark of [4n, 5n, 6n, 7n]) feed.announce(reported(mark))
    expect(kept.now(about('a'))).toBe(102)
  })

  test('includes changes reported while it is being read', async () => {
    const gate = Promise.withResolvers<ResultSnapshot<number>>()
    const answer = kept.read(about('a'), () => gate.promise)
    feed.announce(reported(1n))
    feed.announce(reported(2n))
    gate.resolve(seen(100, 1))
    expect(await answer).toBe(101)
  })

  test('is dropped when many records, definitions or related collections change', async () => {
    const changed = new Map([['tasks', 'many' as const]])
    const elsewhere = new Map([['people', [{ before: null, after: record(1) }]]])
    for (const announcement of [
      { mark: 9n, changed },
      { mark: null, changed: 'everything' as const },
      { mark: 9n, changed: elsewhere },
    ]) {
      await kept.read(about('a', 'people'), reading(1))
      expect(kept.now(about('a', 'people'))).toBe(1)
      feed.announce(announcement)
      expect(kept.now(about('a', 'people'))).toBeUndefined()
    }
  })

  test("is dropped after a change that can't be applied to it", async () => {
    await kept.read(about('a'), reading(1))
    feed.announce(reported(1n, 1, 13))
    expect(kept.now(about('a'))).toBeUndefined()
  })

  test('is returned but not cached if many records changed during the read', async () => {
    const gate = Promise.withResolvers<ResultSnapshot<number>>()
    const answer = kept.read(about('a'), () => gate.promise)
    feed.announce({ mark: null, changed: 'everything' })
    gate.resolve(seen(7, 1))
    expect(await answer).toBe(7)
    expect(kept.now(about('a'))).toBeUndefined()
  })

  test('is read once for concurrent requests', async () => {
    let count = 0
    const counting = () => Promise.resolve(seen((count += 1), 0))
    expect(await Promise.all([1, 2, 3].map(() => kept.read(about('a'), counting)))).toEqual([1, 1, 1])
    expect(await kept.read(about('a'), counting)).toBe(1)
  })

  test('rejects all concurrent requests if its read fails, and is read again', async () => {
    const failing = () => Promise.reject(new Error('on purpose'))
    await expect(kept.read(about('a'), failing)).rejects.toThrow('on purpose')
    expect(await kept.read(about('a'), reading(3))).toBe(3)
  })

  test('is evicted if it is too large or the least recently used', async () => {
    for (const key of ['a', 'b', 'c']) await kept.read(about(key), reading(1))
    kept.now(about('a'))
    await kept.read(about('d'), reading(1))
    expect(['a', 'b', 'c', 'd'].map((key) => kept.now(about(key)))).toEqual([1, undefined, 1, 1])
    await kept.read(about('e'), reading(2000))
    expect(kept.now(about('e'))).toBeUndefined()
  })

  test('is dropped after many writes without a request', async () => {
    await kept.read(about('idle'), reading(0))
    await kept.read(about('busy'), reading(0))
    for (let mark = 1n; mark <= 500n; mark += 1n) {
      feed.announce(reported(mark))
      if (mark % 50n === 0n) kept.now(about('busy'))
    }
    expect(kept.now(about('busy'))).toBe(500)
    expect(kept.now(about('idle'))).toBeUndefined()
  })
})

describe('a shared read', () => {
  const endless = () => raceCancellation(cancellationSignal(), new Promise<ResultSnapshot<number>>(() => undefined))
  const askUntil = (gone: AbortController) => withCancellation(gone.signal, () => kept.read(about('a'), endless))

  test('is canceled when its last client disconnects, and restarted for the next client', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const requested = [askUntil(first), askUntil(second)]
    let hasEnded = false
    const ended = Promise.allSettled(requested).then(() => {
      hasEnded = true
    })
    first.abort()
    await new Promise(setImmediate)
    expect(hasEnded).toBe(false)
    second.abort()
    expect(await kept.read(about('a'), reading(3))).toBe(3)
    await ended
    expect(kept.now(about('a'))).toBe(3)
  })

  test("continues if a client's connection can't be tracked or if it is a preload", async () => {
    const gone = new AbortController()
    const begun = Promise.withResolvers<ResultSnapshot<number>>()
    const until = () => raceCancellation(cancellationSignal(), begun.promise)
    const requested = withCancellation(gone.signal, () => kept.read(about('a'), until))
    const prepared = withCancellation(gone.signal, () => kept.prepare(about('a'), until))
    gone.abort()
    begun.resolve(seen(8, 0))
    expect([await requested, await prepared]).toEqual([8, 8])
  })
})

describe('a preloaded result', () => {
  test('is available to the next request', async () => {
    expect(await kept.prepare(about('a'), reading(4))).toBe(4)
    expect(kept.now(about('a'))).toBe(4)
  })

  test('is loaded only while no other result is being preloaded', async () => {
    const running: number[] = []
    let atOnce = 0
    const slow = async () => {
      running.push((atOnce += 1))
      await Promise.resolve()
      atOnce -= 1
      return seen(1, 0)
    }
    await Promise.all(['a', 'b', 'c'].map((key) => kept.prepare(about(key), slow)))
    expect(running).toEqual([1, 1, 1])
  })

  test('is not preloaded again for a while, but is read if requested', async () => {
    const slow = () => {
      ms += 100
      return Promise.resolve(seen(1, 0))
    }
    await kept.prepare(about('a'), slow)
    feed.announce({ mark: null, changed: 'everything' })
    expect(await kept.prepare(about('a'), slow)).toBeUndefined()
    expect(await kept.read(about('a'), slow)).toBe(1)
    feed.announce({ mark: null, changed: 'everything' })
    ms += 400
    expect(await kept.prepare(about('a'), slow)).toBe(1)
  })

  test('is undefined if the shared read fails, while the pending request is rejected', async () => {
    const gate = Promise.withResolvers<ResultSnapshot<number>>()
    const requested = kept.read(about('a'), () => gate.promise)
    const prepared = kept.prepare(about('a'), reading(4))
    gate.reject(new Error('on purpose'))
    await expect(requested).rejects.toThrow('on purpose')
    expect(await prepared).toBeUndefined()
  })

  test('that fails is reported and affects nothing else', async () => {
    expect(await kept.prepare(about('a'), () => Promise.reject(new Error('on purpose')))).toBeUndefined()
    expect(failures).toHaveLength(1)
    expect(await kept.read(about('a'), reading(5))).toBe(5)
  })
})
