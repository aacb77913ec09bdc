import { describe, expect, test } from 'vitest'
import { type Session, decideRefresh, tokenAge } from './session.ts'
import { codeExpiry, isCodeForm } from './tokens.ts'

const ROTATED_AT = new Date('2026-03-01T10:00:00.000Z')
const IDLE_MS = 7 * 24 * 60 * 60 * 1000
const after = (ms: number): Date => new Date(ROTATED_AT.getTime() + ms)

function aSession(changes: Partial<Session> = {}): Session {
  return {
    id: 's1',
    userId: 'u1',
    kind: 'browser',
    counter: 5,
    rotatedAt: ROTATED_AT,
    isSuccessorSeen: true,
    endsAt: after(1_000_000_000),
    idleEndsAt: after(IDLE_MS),
    isEnded: false,
    ...changes,
  }
}

describe('a refresh token', () => {
  test('is rotated if it is current', () => {
    expect(decideRefresh(aSession(), 5, after(60_000))).toBe('rotate')
  })

  test('from a browser isn’t rotated again within ten seconds', () => {
    expect(decideRefresh(aSession(), 5, after(0))).toBe('current')
    expect(decideRefresh(aSession(), 5, after(10_000))).toBe('current')
    expect(decideRefresh(aSession(), 5, after(10_001))).toBe('rotate')
  })

  test('from an API client is always rotated', () => {
    expect(decideRefresh(aSession({ kind: 'api' }), 5, after(1))).toBe('rotate')
  })

  test('doesn’t count as recently rotated after the clock was set back', () => {
    expect(decideRefresh(aSession(), 5, after(-10_001))).toBe('rotate')
    expect(decideRefresh(aSession(), 4, after(-10_001))).toBe('reused')
    expect(decideRefresh(aSession(), 5, after(-2000))).toBe('current')
  })

  test('sent twice within ten seconds gets the same successor both times', () => {
    expect(decideRefresh(aSession(), 4, after(10_000))).toBe('repeat')
  })

  test('reused after ten seconds revokes the session if its successor was used', () => {
    expect(decideRefresh(aSession(), 4, after(10_001))).toBe('reused')
  })

  test('is still accepted after ten seconds if its successor was never used', () => {
    expect(decideRefresh(aSession({ isSuccessorSeen: false }), 4, after(3_600_000))).toBe('repeat')
  })

  test('that is two generations old revokes the session, even within ten seconds', () => {
    expect(decideRefresh(aSession({ isSuccessorSeen: false }), 3, after(1))).toBe('reused')
  })

  test('with a counter that was never issued revokes the session', () => {
    for (const counter of [6, 7, 999_999_999]) {
      expect(decideRefresh(aSession(), counter, after(1))).toBe('reused')
      expect(decideRefresh(aSession({ isSuccessorSeen: false }), counter, after(1))).toBe('reused')
    }
    expect(decideRefresh(aSession({ isEnded: true }), 6, after(1))).toBe('ended')
  })

  test('of an ended session is rejected', () => {
    expect(decideRefresh(aSession({ isEnded: true }), 5, after(1))).toBe('ended')
    expect(decideRefresh(aSession({ endsAt: after(1) }), 5, after(1))).toBe('ended')
    expect(decideRefresh(aSession(), 5, after(IDLE_MS))).toBe('ended')
  })
})

const EXPIRES_AT_MS = 1_000_000

describe('a token', () => {
  test('is valid until 501 ms before its expiry', () => {
    expect(tokenAge(EXPIRES_AT_MS, EXPIRES_AT_MS - 501)).toBe('valid')
  })

  test('counts as expired starting 500 ms before its expiry', () => {
    expect(tokenAge(EXPIRES_AT_MS, EXPIRES_AT_MS - 500)).toBe('expired')
    expect(tokenAge(EXPIRES_AT_MS, EXPIRES_AT_MS + 1)).toBe('expired')
  })

  test('without a known expiry never counts as expired', () => {
    expect(tokenAge(undefined, EXPIRES_AT_MS)).toBe('unknown')
  })
})

const NOW = new Date('2026-03-01T10:00:00.000Z')

test('an invitation code expires after 48 hours and a reset code after one hour', () => {
  expect(codeExpiry('invitation', NOW).toISOString()).toBe('2026-03-03T10:00:00.000Z')
  expect(codeExpiry('reset', NOW).toISOString()).toBe('2026-03-01T11:00:00.000Z')
})

test('an email code has 43 URL-safe characters', () => {
  expect(isCodeForm('aB3_-'.padEnd(43, 'x'))).toBe(true)
  for (const strange of ['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}\n`, 'é'.repeat(43)]) {
    expect(isCodeForm(strange)).toBe(false)
  }
})
