import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/challenge.ts'
import type { KeyRing, SigningKey } from '#server/platform/crypto/key-ring.ts'

/**
 * The question of a sign-in by passkey alone. Anybody may ask for one, and pages do so whenever they are opened, so
 * nothing is stored of it until a passkey has answered: it is signed instead, and says itself when it ends.
 */
export type PasskeyChallenge = { readonly ticket: string; readonly expiresAt: Date }

const sign = (key: SigningKey, text: string): Buffer =>
  createHmac('sha256', key.keyFor('passkey-ticket')).update(text).digest()

/** A new question. */
export function createPasskeyChallenge({ current }: KeyRing, now: Date): PasskeyChallenge {
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  const text = `${current.id}.${randomBytes(16).toString('base64url')}.${expiresAt.getTime()}`
  return { ticket: `${text}.${sign(current, text).toString('base64url')}`, expiresAt }
}

/** What the authenticator signs for a ticket. */
export const challengeBytes = (ticket: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(ticket).digest())

/** A question of ours that is still open; undefined for anything else. */
export function parsePasskeyChallenge(keys: KeyRing, ticket: string, now: Date): PasskeyChallenge | undefined {
  const found = /^(([\w-]{1,40})\.[\w-]{22}\.(\d{1,15}))\.([\w-]{43})$/.exec(ticket)
  if (found === null) return undefined
  const [, text = '', keyId = '', expiresAtMs = '', signature = ''] = found
  const key = keys.findForSignature(keyId)
  if (key === undefined || !timingSafeEqual(sign(key, text), Buffer.from(signature, 'base64url'))) return undefined
  const expiresAt = new Date(Number(expiresAtMs))
  return now < expiresAt ? { ticket, expiresAt } : undefined
}
