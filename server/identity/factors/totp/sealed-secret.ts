import type { UserId } from '#domain/shared/ids.ts'
import { type KeyRing, seal, type SealedFor, unseal } from '#server/platform/crypto/key-ring.ts'

/** Bound to its user: a sealed secret copied to another account does not open. */
const sealedFor = (userId: UserId): SealedFor => ({ purpose: 'totp', boundTo: `totp ${userId}` })

/** Encrypts an authenticator's secret, so that a copy of the database alone yields no codes. */
export const sealSecret = ({ current }: KeyRing, userId: UserId, secret: string): string =>
  `s1.${current.id}.${seal(current, sealedFor(userId), secret)}`

/**
 * Decrypts a sealed secret; undefined when its key was lost and `keys:reset` accepted that. Throws when the text was
 * changed.
 */
export function openSecret(keys: KeyRing, userId: UserId, sealed: string): string | undefined {
  const [version, keyId = '', text = ''] = sealed.split('.')
  const key = keys.findForCipher(keyId)
  if (version !== 's1') throw new Error('Unknown format of an authenticator secret.')
  return key && unseal(key, sealedFor(userId), text)
}
