import { expect, test } from 'vitest'
import { addressEndsAtSeconds, printAddressClaim } from './file-address.ts'

const endsAt = (now: string) => new Date(addressEndsAtSeconds(new Date(now)) * 1000).toISOString()

test('an address lives for an hour at least and stays the same for a quarter of an hour', () => {
  expect(endsAt('2026-03-01T10:00:00.001Z')).toBe('2026-03-01T11:15:00.000Z')
  expect(endsAt('2026-03-01T10:15:00.000Z')).toBe('2026-03-01T11:15:00.000Z')
  expect(endsAt('2026-03-01T10:15:00.001Z')).toBe('2026-03-01T11:30:00.000Z')
})

test('the whole file, each width, each file and each end are claimed apart', () => {
  const claims = [
    { file: 'a', width: null, endsAtSeconds: 1 },
    { file: 'a', width: 240, endsAtSeconds: 1 },
    { file: 'b', width: 240, endsAtSeconds: 1 },
    { file: 'a', width: 240, endsAtSeconds: 2 },
  ]
  expect(new Set(claims.map(printAddressClaim)).size).toBe(claims.length)
})
