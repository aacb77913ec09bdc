import { expect, test } from 'vitest'
import { createRowCache } from './load-rows.ts'

type Request = {
  first: number
  count: number
  signal: AbortSignal
  answer: (rows: readonly string[]) => void
  fail: () => void
}

function aCache() {
  const requests: Request[] = []
  const changes: number[] = []
  const cache = createRowCache<string>({
    total: 1050,
    load: (first, count, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
      requests.push({ first, count, signal, answer: resolve, fail: () => reject(new Error('refused')) })
      return promise
    },
    onChange: () => changes.push(requests.length),
  })
  return { cache, requests, changes }
}

function rowsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `row ${first + i}`)
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

test('rows are requested once in blocks, and are found by ordinal', async () => {
  const { cache, requests, changes } = aCache()
  cache.need([0, 10])
  cache.need([0, 10])
  expect(requests.map(({ first, count }) => [first, count])).toEqual([
    [0, 100],
    [1000, 50],
  ])
  requests[1]?.answer(rowsFrom(1000, 50))
  await settle()
  expect(cache.rowAt(1049)).toBe('row 1049')
  expect(cache.rowAt(5)).toBeUndefined()
  expect(changes).toHaveLength(1)
})

test('a request that is no longer needed is aborted, and its late response is ignored', async () => {
  const { cache, requests, changes } = aCache()
  cache.need([0])
  cache.need([7])
  expect(requests[0]?.signal.aborted).toBe(true)
  requests[0]?.answer(rowsFrom(0, 100))
  await settle()
  expect(cache.rowAt(0)).toBeUndefined()
  expect(changes).toHaveLength(0)
})

test('a late response never replaces the response to a later request', async () => {
  const { cache, requests } = aCache()
  cache.need([0])
  cache.need([5])
  cache.need([0])
  requests[2]?.answer(['new'])
  requests[0]?.answer(['old'])
  await settle()
  expect(cache.rowAt(0)).toBe('new')
})

test('a failed block reports the error and is not requested again until a retry', async () => {
  const { cache, requests } = aCache()
  cache.need([0])
  requests[0]?.fail()
  await settle()
  expect(cache.hasFailed()).toBe(true)
  cache.need([0])
  expect(requests).toHaveLength(1)
  cache.retry()
  expect(requests).toHaveLength(2)
  expect(cache.hasFailed()).toBe(false)
})

test('a closed cache ignores responses to pending requests', async () => {
  const { cache, requests, changes } = aCache()
  cache.need([0])
  cache.close()
  requests[0]?.answer(rowsFrom(0, 100))
  await settle()
  expect(cache.rowAt(0)).toBeUndefined()
  expect(changes).toHaveLength(0)
})

test('the number of cached rows is limited', async () => {
  const requests: number[] = []
  const cache = createRowCache<number>({
    total: 1_000_000,
    load: async (first, count) => {
      requests.push(first)
      return Array.from({ length: count }, (_, i) => first + i)
    },
    onChange: () => undefined,
  })
  for (let block = 0; block < 400; block++) {
    cache.need([block])
    await settle()
  }
  expect(cache.blockState(0)).toBe('missing')
  expect(cache.rowAt(39_999)).toBe(39_999)
  expect(requests).toHaveLength(400)
})
