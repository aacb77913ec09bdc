import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SigningKey, KeyPurpose } from './key-ring.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What a text is sealed for, and what it belongs to: copied to another place it does not open. */
export type SealedFor = { readonly purpose: KeyPurpose; readonly boundTo: string }

/** Encrypts a text with a key of the ring, so that a copy of the database alone does not give it; base64url. */
export function seal(key: SigningKey, { purpose, boundTo }: SealedFor, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.keyFor(purpose), nonce).setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

/** Opens what `seal` made with this key. Throws when it was changed or belongs elsewhere. */
export function unseal(key: SigningKey, { purpose, boundTo }: SealedFor, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const tagAt = bytes.length - TAG_BYTES
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key.keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(tagAt))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString('utf8')
}
