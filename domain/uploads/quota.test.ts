import { expect, test } from 'vitest'
import { isOverQuota, noRoomMessage, roomLeft } from './quota.ts'

test('a workspace without a quota is never full', () => {
  const usage = { used: Number.MAX_SAFE_INTEGER, reserved: 1 }
  expect([isOverQuota(usage, null), roomLeft(usage, null)]).toEqual([false, Number.POSITIVE_INFINITY])
})

test('what is announced counts like what is there, up to the last byte', () => {
  expect(isOverQuota({ used: 60, reserved: 40 }, 100)).toBe(false)
  expect(isOverQuota({ used: 60, reserved: 41 }, 100)).toBe(true)
  expect([roomLeft({ used: 60, reserved: 30 }, 100), roomLeft({ used: 160, reserved: 0 }, 100)]).toEqual([10, 0])
})

test('how much is left is told to those who may know, and nobody else', () => {
  const file = { name: 'a.mov', bytes: 5_000_000 }
  expect(noRoomMessage(file, 1_500_000)).toContain('“a.mov” has 5 MB, and 1.5 MB are left')
  expect(noRoomMessage(file, null)).toBe(
    'The workspace is full, so no more files can be taken in. Tell an owner of the workspace.',
  )
})
