import { expect, test } from 'vitest'
import { expiryFrom, isExpired, renewedExpiry } from './upload-expiry.ts'

const touchedAt = new Date('2026-03-01T10:00:00.000Z')
const upload = { expiresAt: expiryFrom(touchedAt) }

test('an upload lives for a day after it was last touched, to the millisecond', () => {
  expect(upload.expiresAt).toBe('2026-03-02T10:00:00.000Z')
  expect(isExpired(upload, new Date('2026-03-02T09:59:59.999Z'))).toBe(false)
  expect(isExpired(upload, new Date('2026-03-02T10:00:00.000Z'))).toBe(true)
})

test('an upload that keeps receiving bytes ends a week after it began', () => {
  const slow = { createdAt: touchedAt.toISOString() }
  expect(renewedExpiry(slow, new Date('2026-03-03T10:00:00.000Z'))).toBe('2026-03-04T10:00:00.000Z')
  expect(renewedExpiry(slow, new Date('2026-03-08T09:00:00.000Z'))).toBe('2026-03-08T10:00:00.000Z')
})
