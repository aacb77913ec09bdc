import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'
import { readTotpCode, TOTP, totpStepsAt } from '#domain/sessions/second-factors.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { type KeyRing, seal, type SealedFor, unseal } from '#server/platform/crypto/key-ring.ts'

const ISSUER = 'Dossier'

const WORDS = { algorithm: 'sha1', digits: TOTP.digits, period: TOTP.periodSeconds } as const

export const newTotpSecret = (): string => generateSecret()

export const totpUri = (secret: string, account: string): string =>
  generateURI({ ...WORDS, issuer: ISSUER, label: account, secret })

const codeOf = (secret: string, step: number): string =>
  generateSync({ ...WORDS, secret, epoch: step * TOTP.periodSeconds })

/** The time step of a code; undefined if the code isn't currently valid. Compares with every step in constant time. */
export function stepOfCode(secret: string, typed: string, now: Date): number | undefined {
  const code = readTotpCode(typed)
  const given = Buffer.from(code ?? '------')
  const matching = totpStepsAt(now).filter((step) => timingSafeEqual(given, Buffer.from(codeOf(secret, step))))
  return code === undefined ? undefined : matching[0]
}

/** Bound to the user, so that an encrypted secret copied to another account can't be decrypted. */
const sealedFor = (userId: UserId): SealedFor => ({ purpose: 'totp', boundTo: `totp ${userId}` })

/** Encrypts an authenticator secret, so that a copy of the database alone doesn't reveal codes. */
export const sealSecret = ({ current }: KeyRing, userId: UserId, secret: string): string =>
  `s1.${current.id}.${seal(current, sealedFor(userId), secret)}`

/**
 * Decrypts an authenticator secret; undefined if its key was lost and discarded with `keys:reset`. Throws if the secret
 * was modified.
 */
export function openSecret(keys: KeyRing, userId: UserId, sealed: string): string | undefined {
  const [version, keyId = '', text = ''] = sealed.split('.')
  const key = keys.findForCipher(keyId)
  if (version !== 's1') throw new Error('Unknown format of an authenticator secret.')
  return key && unseal(key, sealedFor(userId), text)
}
