import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyRing, openKeyRing, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { openSecret, sealSecret } from './sealed-secret.ts'

let folder: string
let keys: KeyRing

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-sealed-'))
  keys = openKeyRing(folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('a sealed secret', () => {
  test('opens for its user, and is encrypted differently each time', () => {
    const sealed = sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')
    expect(sealed).not.toContain('GEZDGNBVGY3TQOJQ')
    expect(sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')).not.toBe(sealed)
    expect(openSecret(keys, 'ada', sealed)).toBe('GEZDGNBVGY3TQOJQ')
  })

  test('opens after key rotation, even immediate', () => {
    const sealed = sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')
    rotateKeys(folder, new Date(), { atOnce: true })
    const after = openKeyRing(folder)
    expect(after.current.id).not.toBe(sealed.split('.')[1])
    expect(openSecret(after, 'ada', sealed)).toBe('GEZDGNBVGY3TQOJQ')
  })

  test('does not open for another user, after a change of one bit, or without its key', () => {
    const sealed = sealSecret(keys, 'ada', 'GEZDGNBVGY3TQOJQ')
    const last = sealed.at(-2) === 'A' ? 'B' : 'A'
    expect(() => openSecret(keys, 'bob', sealed)).toThrow()
    expect(() => openSecret(keys, 'ada', `${sealed.slice(0, -2)}${last}${sealed.slice(-1)}`)).toThrow()
    expect(openSecret(keys, 'ada', sealed.replace(/^s1\.[^.]+/, 's1.unknown'))).toBeUndefined()
    expect(() => openSecret(keys, 'ada', sealed.replace(/^s1/, 's9'))).toThrow()
  })
})
