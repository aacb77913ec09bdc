import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyRing, openKeyRing, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { newTotpSecret, openSecret, sealSecret, stepOfCode, totpUri } from '#server/identity/factors/totp.ts'

/** The secret from the examples in RFC 6238. Their codes have eight digits; ours are the last six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('an authenticator code', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('matches RFC 6238 at %d s', (seconds, code) => {
    expect(stepOfCode(SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
  })

  test('is valid only in its own time step and the next', () => {
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

test('a new TOTP secret has 160 bits, and its URI contains the workspace and the account', () => {
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

let folder: string
let keys: KeyRing

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-sealed-'))
  keys = openKeyRing(folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('a sealed secret', () => {
  test('can be decrypted for its user, and is encrypted differently each time', () => {
    const sealed = sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')
    expect(sealed).not.toContain('GEZDGNBVGY3TQOJQ')
    expect(sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')).not.toBe(sealed)
    expect(openSecret(keys, 'ada', sealed)).toBe('GEZDGNBVGY3TQOJQ')
  })

  test('can be decrypted after key rotation, even after immediate rotation', () => {
    const sealed = sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')
    rotateKeys(folder, new Date(), { atOnce: true })
    const after = openKeyRing(folder)
    expect(after.current.id).not.toBe(sealed.split('.')[1])
    expect(openSecret(after, 'ada', sealed)).toBe('GEZDGNBVGY3TQOJQ')
  })

  test('can’t be decrypted for another user, after a bit flip, or without its key', () => {
    const sealed = sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')
    const last = sealed.at(-2) === 'A' ? 'B' : 'A'
    expect(() => openSecret(keys, 'bob', sealed)).toThrow()
    expect(() => openSecret(keys, 'ada', `${sealed.slice(0, -2)}${last}${sealed.slice(-1)}`)).toThrow()
    expect(openSecret(keys, 'ada', sealed.replace(/^s1\.[^.]+/, 's1.unknown'))).toBeUndefined()
    expect(() => openSecret(keys, 'ada', sealed.replace(/^s1/, 's9'))).toThrow()
  })
})
