import { expect, test } from 'vitest'
import { unsentState } from '#web/data/unsent/unsent-state.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { isKeptOffline, selectCopies } from './offline-copies.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW_MS = 100 * DAY_MS

const copy = (userId: string, daysAgo: number) => ({
  userId,
  key: ['x'],
  data: daysAgo,
  atMs: NOW_MS - daysAgo * DAY_MS,
})

test('offline copies include records, lists, views and collections, but no settings', () => {
  const { record, recordList, views, collections, users, tokens, audit, sums } = queryKeys
  expect([record('a', 'b'), recordList('a', {}), views('a'), collections].every(isKeptOffline)).toBe(true)
  expect([users, tokens, audit, sums('a', {})].some(isKeptOffline)).toBe(false)
})

test('unsent records have no offline copy, which could be older than their last edit', () => {
  const body = { id: 'b', version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null, values: {} }
  const unsent = { userId: 'ada', collection: 'a', body, values: {}, tried: null, failure: null }
  unsentState.set({ ...unsentState.get(), records: [unsent] })
  expect(['b', 'c'].map((id) => isKeptOffline(queryKeys.record('a', id)))).toEqual([false, true])
})

test("only the current user's newest offline copies are kept", () => {
  const all = [
    ['old', copy('ada', 31)],
    ['theirs', copy('grace', 1)],
    ['mine', copy('ada', 2)],
    ['newest', copy('ada', 1)],
  ] as const
  const { newest, removed } = selectCopies(all, 'ada', NOW_MS)
  expect(newest.map(({ data }) => data)).toEqual([1, 2])
  expect(removed).toEqual(['old', 'theirs'])
})
