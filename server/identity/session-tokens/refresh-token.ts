import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SessionId } from '#domain/shared/ids.ts'
import type { KeyRing, SigningKey } from '#server/platform/crypto/key-ring.ts'

const VERSION = 'r2'

export type PresentedRefresh = {
  readonly sessionId: SessionId
  readonly counter: number
  readonly keyId: string
  readonly signature: string
}

/** `retired`: signed with a key that is no longer valid, for example after `keys:rotate --at-once`. */
export type RefreshAuthenticity = 'authentic' | 'retired' | 'forged'

/** The random part of a session's MAC key, stored in the database; useless without the key ring. */
export const newRefreshSalt = (): string => randomBytes(32).toString('base64url')

const KEY_BYTES = 32

type SaltedSession = { readonly id: SessionId; readonly refreshSalt: string }

/** A session's MAC key, derived from a key in the ring (HKDF-SHA-256, RFC 5869). */
const macKey = (key: SigningKey, { id, refreshSalt }: SaltedSession): Buffer =>
  Buffer.from(hkdfSync('sha256', key.keyFor('refresh-token'), Buffer.from(refreshSalt, 'base64url'), id, KEY_BYTES))

const sign = (key: SigningKey, session: SaltedSession, text: string): Buffer =>
  createHmac('sha256', macKey(key, session)).update(text).digest()

const textOf = ({ sessionId, counter, keyId }: Omit<PresentedRefresh, 'signature'>): string =>
  `${VERSION}.${sessionId}.${counter}.${keyId}`

/** The session's refresh token for this counter. Tokens are never stored. */
export function makeRefreshToken({ current }: KeyRing, session: SaltedSession & { readonly counter: number }): string {
  const text = textOf({ sessionId: session.id, counter: session.counter, keyId: current.id })
  return `${text}.${sign(current, session, text).toString('base64url')}`
}

export function parseRefreshToken(token: string): PresentedRefresh | undefined {
  const found = /^r2\.([0-9a-z]{1,40})\.(0|[1-9]\d{0,8})\.([\w-]{1,40})\.([\w-]{43})$/.exec(token)
  if (found === null) return undefined
  const [, sessionId = '', counter = '', keyId = '', signature = ''] = found
  return { sessionId, counter: Number(counter), keyId, signature }
}

/** Whether a token has the format of an earlier version. Sessions from that version ended with the upgrade. */
export const isOutdatedRefreshToken = (token: string): boolean =>
  /^r1\.[0-9a-z]{1,40}\.(?:0|[1-9]\d{0,8})\.[\w-]{43}$/.test(token)

export function checkRefreshToken(
  keys: KeyRing,
  presented: PresentedRefresh,
  session: SaltedSession,
): RefreshAuthenticity {
  const key = keys.findForCipher(presented.keyId)
  if (key === undefined) return 'forged'
  const wanted = sign(key, session, textOf(presented))
  const given = Buffer.from(presented.signature, 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'forged'
  return keys.findForRefresh(key.id) === undefined ? 'retired' : 'authentic'
}
