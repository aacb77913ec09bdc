import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { UserId } from '#domain/shared/ids.ts'
import type { KeyRing } from '#server/keys/key-ring.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bound to its user: a sealed secret copied to somebody else's account does not open. */
const boundTo = (userId: UserId): Buffer => Buffer.from(`totp ${userId}`)

/** Enciphers the secret of an authenticator, so that a copy of the database alone gives no codes. */
export function sealSecret(keys: KeyRing, userId: UserId, secret: string): string {
  const key = keys.current
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.keyFor('totp'), nonce).setAAD(boundTo(userId))
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `s1.${key.id}.${sealed.toString('base64url')}`
}

/** Opens what `sealSecret` made. Throws when its key is gone or the text was changed: then the data folder is broken. */
export function openSecret(keys: KeyRing, userId: UserId, sealed: string): string {
  const [version, keyId = '', text = ''] = sealed.split('.')
  const key = keys.findForCipher(keyId)
  if (version !== 's1' || key === undefined) throw new Error('The key of an authenticator secret is missing.')
  const bytes = Buffer.from(text, 'base64url')
  const tagAt = bytes.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, key.keyFor('totp'), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(boundTo(userId)).setAuthTag(bytes.subarray(tagAt))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString('utf8')
}
