import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base64url, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyRing, openKeyRing } from '#server/platform/crypto/key-ring.ts'
import { mintAccessToken, readAccessToken } from './access-token.ts'

const NOW = new Date('2026-03-01T10:00:00.750Z')
const who = { userId: 'u1', sessionId: 's1', generation: 3 }

let folder: string
let keys: KeyRing

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-keys-'))
  keys = openKeyRing(folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('an access token', () => {
  test('is decoded to its original claims, even after it has expired', async () => {
    const { token, expiresAt } = await mintAccessToken(keys, who, NOW)
    expect(await readAccessToken(keys, token)).toEqual({ ...who, expiresAtMs: expiresAt.getTime() })
    expect(expiresAt).toEqual(new Date('2026-03-01T10:30:00.000Z'))
  })

  test('from another workspace is rejected', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'dossier-keys-'))
    const { token } = await mintAccessToken(openKeyRing(elsewhere), who, NOW)
    expect(await readAccessToken(keys, token)).toBeUndefined()
    await rm(elsewhere, { recursive: true })
  })

  test('is rejected without a signature, or with another algorithm, audience or type', async () => {
    const secret = keys.current.keyFor('access-token')
    const signed = (alg: string, typ: string, audience: string) =>
      new SignJWT({ sid: 's1', gen: 0 })
        .setProtectedHeader({ alg, typ, kid: keys.current.id })
        .setSubject('u1')
        .setAudience(audience)
        .setExpirationTime('1h')
        .sign(alg === 'HS512' ? new Uint8Array(64) : secret)
    const unsigned = `${base64url.encode('{"alg":"none","typ":"at+jwt"}')}.${base64url.encode('{"sub":"u1"}')}.`
    const wrong = [
      await signed('HS512', 'at+jwt', 'dossier'),
      await signed('HS256', 'jwt', 'dossier'),
      await signed('HS256', 'at+jwt', 'another'),
      unsigned,
      'not.a.token',
    ]
    for (const token of wrong) expect(await readAccessToken(keys, token)).toBeUndefined()
  })
})

describe('the secrets of the workspace', () => {
  test('survive a restart and are readable only by their owner', async () => {
    const { token } = await mintAccessToken(keys, who, NOW)
    expect(await readAccessToken(openKeyRing(folder), token)).toBeDefined()
    if (process.platform !== 'win32') expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600)
  })

  test('differ for each purpose', () => {
    expect(keys.current.keyFor('access-token')).not.toEqual(keys.current.keyFor('file-address'))
  })
})
