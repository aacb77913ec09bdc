import { expect, test } from 'vitest'
import { draftOf, quotaError, quotaOf, shareOf } from '#web/features/workspace/storage-panel.tsx'

test('the storage limit is entered in gigabytes, and empty means unlimited', () => {
  expect([draftOf(null), draftOf(1_500_000_000), quotaOf(''), quotaOf('1.5')]).toEqual(['', 1.5, null, 1_500_000_000])
})

test('an invalid storage limit is rejected', () => {
  expect([quotaError(''), quotaError(0), quotaError(2)]).toEqual([undefined, undefined, undefined])
  for (const wrong of ['x', -1, 10 ** 9]) expect(quotaError(wrong)).toContain('9,007,199')
})

test('storage usage includes reserved space and is capped at 100%', () => {
  const storage = { usedBytes: 60, reservedBytes: 20, quotaBytes: 100 }
  expect(shareOf(storage)).toBe(80)
  expect(shareOf({ ...storage, quotaBytes: 50 })).toBe(100)
  expect(shareOf({ ...storage, quotaBytes: 0 })).toBe(100)
  expect(shareOf({ ...storage, quotaBytes: null })).toBeUndefined()
})
