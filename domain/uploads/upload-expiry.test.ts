import { expect, test } from 'vitest'
import { expiryFrom, isExpired } from './upload-expiry.ts'

const touchedAt = new Date('2026-03-01T10:00:00.000Z')
const upload = { expiresAt: expiryFrom(touchedAt) }

test('an upload lives for a day after it was last touched, to the millisecond', () => {
  expect(upload.expiresAt).toBe('2026-03-02T10:00:00.000Z')
  expect(isExpired(upload, new Date('2026-03-02T09:59:59.999Z'))).toBe(false)
  expect(isExpired(upload, new Date('2026-03-02T10:00:00.000Z'))).toBe(true)
})
