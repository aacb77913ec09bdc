import { describe, expect, test } from 'vitest'
import { newTotpSecret, stepOfCode, totpUri } from './totp-code.ts'

/** The secret of RFC 6238's examples; their codes have eight digits, ours are the last six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a code of an authenticator', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %d s', (seconds, code) => {
    expect(stepOfCode(SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
  })

  test('is valid in its own step and the next, not before and not later', () => {
    const startsAt = 37_037_036 * 30
    const after = (seconds: number) => stepOfCode(SECRET, '081804', new Date((startsAt + seconds) * 1000))
    expect([-1, 0, 29, 30, 59, 60].map(after)).toEqual([
      undefined,
      37_037_036,
      37_037_036,
      37_037_036,
      37_037_036,
      undefined,
    ])
  })

  test('is rejected when malformed', () => {
    expect(stepOfCode(SECRET, '------', new Date(60_000))).toBeUndefined()
  })
})

test('a new secret has 160 bits, and its URI contains the workspace and the account', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(totpUri(secret, 'ada@example.org'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Dossier:ada@example.org',
  ])
  expect(uri.searchParams.get('secret')).toBe(secret)
  expect(uri.searchParams.get('issuer')).toBe('Dossier')
})
