import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type KeyRing, openKeyRing, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import {
  checkRefreshToken,
  isOutdatedRefreshToken,
  makeRefreshToken,
  newRefreshSalt,
  parseRefreshToken,
} from './refresh-token.ts'

const session = { id: '01hzy9abcdefghjkmnpqrstvwx', counter: 7, refreshSalt: newRefreshSalt() }

let folder: string
let keys: KeyRing
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-refresh-'))
  keys = openKeyRing(folder, { looksEveryMs: 0 })
})
afterEach(() => rm(folder, { recursive: true }))

const partsOf = (token: string) => {
  const parts = parseRefreshToken(token)
  if (parts === undefined) throw new Error(`Not a refresh token: ${token}`)
  return parts
}

describe('a refresh token', () => {
  test('contains its session and counter, and is always the same for one row', () => {
    const token = makeRefreshToken(keys, session)
    expect(makeRefreshToken(keys, session)).toBe(token)
    expect(partsOf(token)).toMatchObject({ sessionId: session.id, counter: 7, keyId: keys.current.id })
    expect(checkRefreshToken(keys, partsOf(token), session)).toBe('authentic')
  })

  test('counts as forged if its counter, session, salt or key differs', async () => {
    const parts = partsOf(makeRefreshToken(keys, session))
    const other = '01hzy9abcdefghjkmnpqrstvww'
    expect(checkRefreshToken(keys, { ...parts, counter: 8 }, session)).toBe('forged')
    expect(checkRefreshToken(keys, { ...parts, sessionId: other }, { ...session, id: other })).toBe('forged')
    expect(checkRefreshToken(keys, parts, { ...session, refreshSalt: newRefreshSalt() })).toBe('forged')
    expect(checkRefreshToken(keys, { ...parts, keyId: 'unknown' }, session)).toBe('forged')
    const { id } = rotateKeys(folder, new Date(), { atOnce: false })
    expect(checkRefreshToken(keys, { ...parts, keyId: id }, session)).toBe('forged')
  })

  test('depends on the key ring: another key ring produces a different token for the same row', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'dossier-refresh-'))
    const token = makeRefreshToken(openKeyRing(elsewhere), session)
    expect(checkRefreshToken(keys, partsOf(token), session)).toBe('forged')
    await rm(elsewhere, { recursive: true })
  })

  test('stays authentic after key rotation, and is retired by immediate rotation', () => {
    const parts = partsOf(makeRefreshToken(keys, session))
    rotateKeys(folder, new Date(), { atOnce: false })
    expect(checkRefreshToken(keys, parts, session)).toBe('authentic')
    rotateKeys(folder, new Date(), { atOnce: true })
    expect(checkRefreshToken(keys, parts, session)).toBe('retired')
  })

  test('from an earlier version is recognized by its format', () => {
    expect(isOutdatedRefreshToken(`r1.${session.id}.7.${'x'.repeat(43)}`)).toBe(true)
    for (const other of [makeRefreshToken(keys, session), 'r1.a.0.', `r1.a.01.${'x'.repeat(43)}`]) {
      expect(isOutdatedRefreshToken(other)).toBe(false)
    }
  })

  test.each([
    '',
    'r2',
    'r2.a.1',
    'r1.a.1.x',
    `r1.a.1.${'x'.repeat(43)}`,
    `r2.a.-1.k.${'x'.repeat(43)}`,
    `r2.a.01.k.${'x'.repeat(43)}`,
    `r2.a.1..${'x'.repeat(43)}`,
    'null',
    'x'.repeat(1024),
  ])('is not parsed from another form: %s', (token) => {
    expect(parseRefreshToken(token)).toBeUndefined()
  })
})
