import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotaExceededMessage, availableBytes } from './quota.ts'

test('storage is unlimited without a quota', () => {
  expect(availableBytes({ used: Number.MAX_SAFE_INTEGER, own: 1, others: 1 }, null)).toBe(Number.POSITIVE_INFINITY)
})

test('counts finished files and the user’s own open uploads in full', () => {
  expect(availableBytes({ used: 60, own: 30, others: 0 }, 100)).toBe(10)
  expect(availableBytes({ used: 60, own: 40, others: 0 }, 100)).toBe(0)
  expect(availableBytes({ used: 160, own: 0, others: 5 }, 100)).toBe(0)
})

test('counts quarantined files only if they exceed the quota on their own', () => {
  expect(availableBytes({ used: 0, own: 0, others: 0, quarantined: 100 }, 100)).toBe(100)
  expect(availableBytes({ used: 60, own: 0, others: 0, quarantined: 130 }, 100)).toBe(10)
  expect(availableBytes({ used: 0, own: 0, others: 0, quarantined: 200 }, 100)).toBe(0)
})

test('counts other users’ open uploads up to half of the remaining space', () => {
  expect(availableBytes({ used: 60, own: 0, others: 10 }, 100)).toBe(30)
  const bytes = fc.nat(10 ** 12)
  fc.assert(
    fc.property(bytes, bytes, bytes, (quota, used, others) => {
      expect(availableBytes({ used, own: 0, others }, quota)).toBeGreaterThanOrEqual(Math.max(0, (quota - used) / 2))
    }),
  )
})

test('shows the remaining storage only to managers', () => {
  const file = { name: 'a.mov', bytes: 5_000_000 }
  expect(quotaExceededMessage(file, 1_500_000)).toContain(
    '“a.mov” is 5 MB, but only 1.5 MB of storage is left. Delete files or raise the limit in Settings → Workspace.',
  )
  expect(quotaExceededMessage(file, null)).toBe(
    'The workspace has reached its storage limit. Ask an owner to raise it or delete files.',
  )
})
