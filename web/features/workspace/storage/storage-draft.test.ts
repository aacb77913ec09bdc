import { expect, test } from 'vitest'
import { draftOf, quotaError, quotaOf, shareOf } from './storage-draft.ts'

test('a limit is typed in gigabytes, and nothing typed is no limit', () => {
  expect([draftOf(null), draftOf(1_500_000_000), quotaOf(''), quotaOf('1.5')]).toEqual(['', 1.5, null, 1_500_000_000])
})

test('what is no limit is said to be none', () => {
  expect([quotaError(''), quotaError(0), quotaError(2)]).toEqual([undefined, undefined, undefined])
  for (const wrong of ['x', -1, 10 ** 9]) expect(quotaError(wrong)).toContain('9,007,199')
})

test('the share that is used counts what is on its way, and is never more than all', () => {
  const storage = { usedBytes: 60, reservedBytes: 20, quotaBytes: 100 }
  expect(shareOf(storage)).toBe(80)
  expect(shareOf({ ...storage, quotaBytes: 50 })).toBe(100)
  expect(shareOf({ ...storage, quotaBytes: 0 })).toBe(100)
  expect(shareOf({ ...storage, quotaBytes: null })).toBeUndefined()
})
