import { describe, expect, test } from 'vitest'
import { shouldRecordUse, checkApiToken, looksLikeApiToken, USE_RECORD_INTERVAL_MS } from './tokens.ts'

const NOW = new Date('2026-03-01T10:00:00.000Z')

describe('an API token', () => {
  test('is valid until just before its expiry', () => {
    const before = new Date(NOW.getTime() - 1)
    expect(checkApiToken({ expiresAt: NOW, isRevoked: false }, before)).toBe('good')
    expect(checkApiToken({ expiresAt: NOW, isRevoked: false }, NOW)).toBe('expired')
    expect(checkApiToken({ expiresAt: null, isRevoked: false }, NOW)).toBe('good')
    expect(checkApiToken({ expiresAt: null, isRevoked: true }, before)).toBe('revoked')
  })

  test('is distinguished from an access token by its prefix', () => {
    expect(looksLikeApiToken('dsr_abc')).toBe(true)
    expect(looksLikeApiToken('eyJ.dsr_.x')).toBe(false)
  })
})

test('updates its last-used time at most once a minute', () => {
  expect(shouldRecordUse(null, NOW)).toBe(true)
  expect(shouldRecordUse(new Date(NOW.getTime() - USE_RECORD_INTERVAL_MS + 1), NOW)).toBe(false)
  expect(shouldRecordUse(new Date(NOW.getTime() - USE_RECORD_INTERVAL_MS), NOW)).toBe(true)
})
