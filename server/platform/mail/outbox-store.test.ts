import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyRing, openKeyRing, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { openCodes, sealCodes, withoutCodes } from './outbox-store.ts'

const TEXT = 'Open http://x/invitation?code=abc-_123. Or http://x/reset-password?a=b&code=def.'

let folder: string
let keys: KeyRing
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-codes-'))
  keys = openKeyRing(folder, { looksEveryMs: 0 })
})
afterAll(() => rm(folder, { recursive: true }))

describe('the codes of an email', () => {
  test('are not part of the stored text, and can still be decrypted after key rotation', () => {
    const stored = sealCodes(keys, 'm1', TEXT)
    expect(stored).not.toMatch(/abc-_123|def/)
    expect(openCodes(keys, 'm1', stored)).toBe(TEXT)
    rotateKeys(folder, new Date(), { atOnce: true })
    expect(openCodes(keys, 'm1', stored)).toBe(TEXT)
  })

  test("can't be decrypted for another email, and are omitted if their key is lost", () => {
    const stored = sealCodes(keys, 'm1', TEXT)
    expect(() => openCodes(keys, 'm2', stored)).toThrow()
    const lost = stored.replaceAll(/~[\w-]+~/g, '~unknown~')
    expect(openCodes(keys, 'm1', lost)).toBe(withoutCodes(TEXT))
    expect(withoutCodes(stored)).toBe(withoutCodes(TEXT))
  })

  test('are sent unchanged if the email was stored by an earlier version', () => {
    expect(openCodes(keys, 'm1', TEXT)).toBe(TEXT)
  })
})
