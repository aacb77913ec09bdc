import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTokenReader, mintAccessToken, readAccessToken } from '#server/identity/session-tokens/access-token.ts'
import { fixedClock } from '#tests/support/clock/fixed-clock.ts'
import { DEVICE_MARK_MS, KEY_AGE_MS, KEY_OVERLAP_MS, openKeyRing, rotateKeys } from './key-ring.ts'

const who = { userId: 'u1', sessionId: 's1', generation: 0 }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-keys-'))
})
afterEach(() => rm(folder, { recursive: true }))

const aRing = () => {
  const clock = fixedClock()
  return { clock, ring: openKeyRing(folder, { clock: clock.now, looksEveryMs: 0 }) }
}

describe('a rotated key', () => {
  test('creates no new signatures, but its existing ones stay valid for a day', async () => {
    const { clock, ring } = aRing()
    const before = ring.current
    const { token } = await mintAccessToken(ring, who, clock.now())
    const next = rotateKeys(folder, clock.now(), { atOnce: false })
    expect(ring.current.id).toBe(next.id)
    expect(ring.current.id).not.toBe(before.id)
    clock.move(KEY_OVERLAP_MS - 1)
    expect(await readAccessToken(ring, token)).toBeDefined()
    clock.move(1)
    expect(await readAccessToken(ring, token)).toBeUndefined()
  })

  test('is invalid immediately after immediate rotation', async () => {
    const { clock, ring } = aRing()
    const { token } = await mintAccessToken(ring, who, clock.now())
    rotateKeys(folder, clock.now(), { atOnce: false })
    const second = await mintAccessToken(ring, who, clock.now())
    rotateKeys(folder, clock.now(), { atOnce: true })
    for (const old of [token, second.token]) expect(await readAccessToken(ring, old)).toBeUndefined()
  })

  test('stays valid for known-browser cookies for their lifetime, unless rotated immediately', () => {
    const { clock, ring } = aRing()
    const first = ring.current.id
    rotateKeys(folder, clock.now(), { atOnce: false })
    clock.move(KEY_OVERLAP_MS)
    expect([ring.findForSignature(first), ring.findForMark(first)?.id]).toEqual([undefined, first])
    // The next rotation doesn't extend the validity of the first key.
    const second = rotateKeys(folder, clock.now(), { atOnce: false }).id
    clock.move(DEVICE_MARK_MS - KEY_OVERLAP_MS - 1)
    expect(ring.findForMark(first)?.id).toBe(first)
    clock.move(1)
    expect(ring.findForMark(first)).toBeUndefined()
    rotateKeys(folder, clock.now(), { atOnce: true })
    expect(ring.findForMark(second)).toBeUndefined()
  })

  test('without a separate expiry for known-browser cookies expires for all signatures at the same time', async () => {
    const { clock, ring } = aRing()
    const first = ring.current.id
    rotateKeys(folder, clock.now(), { atOnce: false })
    const { keys } = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'))
    const old = keys.map((key: object) => ({ ...key, marksCountUntil: undefined }))
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: old }))
    expect(ring.findForMark(first)?.id).toBe(first)
    clock.move(KEY_OVERLAP_MS)
    expect(ring.findForMark(first)).toBeUndefined()
    rotateKeys(folder, clock.now(), { atOnce: false })
    expect(ring.findForMark(first)).toBeUndefined()
  })

  test('is removed from token caches', async () => {
    const { clock, ring } = aRing()
    const read = createTokenReader(ring)
    const { token } = await mintAccessToken(ring, who, clock.now())
    expect(await read(token)).toBeDefined()
    rotateKeys(folder, clock.now(), { atOnce: true })
    expect(await read(token)).toBeUndefined()
  })

  test('can still decrypt existing data', () => {
    const { clock, ring } = aRing()
    const { id } = ring.current
    const secret = ring.current.keyFor('totp')
    rotateKeys(folder, clock.now(), { atOnce: true })
    expect(ring.findForSignature(id)).toBeUndefined()
    expect(ring.findForCipher(id)?.keyFor('totp')).toEqual(secret)
  })
})

describe('the keys', () => {
  test('are rotated automatically once after 90 days', () => {
    const { clock, ring } = aRing()
    const { id } = ring.current
    clock.move(KEY_AGE_MS)
    expect(ring.current.id).toBe(id)
    clock.move(1)
    const next = ring.current.id
    expect(next).not.toBe(id)
    expect(ring.current.id).toBe(next)
    expect(openKeyRing(folder, { clock: clock.now }).current.id).toBe(next)
  })

  test('are stored in a file that only its owner can read, without leftover files', async () => {
    const { clock } = aRing()
    rotateKeys(folder, clock.now(), { atOnce: false })
    expect(await readdir(folder)).toEqual(['keys.json'])
    if (process.platform !== 'win32') expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600)
  })

  test('can be read from a file without rotation data', async () => {
    const { ring } = aRing()
    const { keys } = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'))
    const old = keys.map(({ id, secret }: { id: string; secret: string }) => ({ id, secret }))
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: old }))
    expect(openKeyRing(folder).current.id).toBe(ring.current.id)
  })

  test('remain in use while their file is unreadable', async () => {
    const { ring } = aRing()
    const { id } = ring.current
    await writeFile(join(folder, 'keys.json'), 'torn')
    expect(ring.current.id).toBe(id)
    await rm(join(folder, 'keys.json'))
    expect(ring.current.id).toBe(id)
  })

  test('can be rotated despite a lock left by a killed process', async () => {
    const { clock, ring } = aRing()
    const { id } = ring.current
    await writeFile(join(folder, 'keys.json.lock'), '1')
    await utimes(join(folder, 'keys.json.lock'), 1, 1)
    expect(rotateKeys(folder, clock.now(), { atOnce: false }).id).not.toBe(id)
  })
})
