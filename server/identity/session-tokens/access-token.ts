import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { SESSION } from '#domain/specification.ts'
import { createLruMap } from '#server/platform/lru-map.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'

const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'
const AUDIENCE = 'dossier'

export type AccessClaims = {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly generation: number
  readonly expiresAtMs: number
}

export type MintedToken = { readonly token: string; readonly expiresAt: Date }

const payloadSchema = z.object({ sub: z.string(), sid: z.string(), gen: z.number(), exp: z.number() })

export async function mintAccessToken(
  keys: KeyRing,
  who: Pick<AccessClaims, 'userId' | 'sessionId' | 'generation'>,
  now: Date,
): Promise<MintedToken> {
  const issuedAtSeconds = Math.floor(now.getTime() / 1000)
  const expiresAtSeconds = issuedAtSeconds + SESSION.tokenMaxAgeSeconds
  const token = await new SignJWT({ sid: who.sessionId, gen: who.generation })
    .setProtectedHeader({ alg: ALGORITHM, kid: keys.current.id, typ: TYPE })
    .setSubject(who.userId)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .sign(keys.current.keyFor('access-token'))
  return { token, expiresAt: new Date(expiresAtSeconds * 1000) }
}

/**
 * Verifies an access token; undefined if we didn't sign it. Doesn't check expiry, because an expired token can still be
 * used to sign out; `domain/sessions/session.ts` does.
 */
export async function readAccessToken(keys: KeyRing, token: string): Promise<AccessClaims | undefined> {
  // An unknown or retired key ID falls back to the current key, so that verification fails.
  const keyOf = ({ kid = '' }: { readonly kid?: string }): Uint8Array =>
    (keys.findForSignature(kid) ?? keys.current).keyFor('access-token')
  const beforeAllTime = new Date(0)
  const checks = { algorithms: [ALGORITHM], audience: AUDIENCE, typ: TYPE, currentDate: beforeAllTime }
  const payload = await jwtVerify(token, keyOf, checks).then(
    (verified) => payloadSchema.safeParse(verified.payload).data,
    () => undefined,
  )
  if (payload === undefined) return undefined
  return { userId: payload.sub, sessionId: payload.sid, generation: payload.gen, expiresAtMs: payload.exp * 1000 }
}

/** Maximum cached tokens, about 1 kB each. */
const MAX_TOKENS = 2000

/**
 * Verifies access tokens and caches their claims until the keys change. Without the cache, verification took a sixth of
 * the time of a small read, on the threads that also hash passwords.
 */
export function createTokenReader(keys: KeyRing): (token: string) => Promise<AccessClaims | undefined> {
  const known = createLruMap<AccessClaims>(MAX_TOKENS)
  let edition = keys.edition
  return async (token) => {
    const asOf = keys.edition
    if (asOf !== edition) known.clear()
    edition = asOf
    const claims = known.find(token) ?? (await readAccessToken(keys, token))
    if (claims !== undefined && keys.edition === asOf) known.set(token, claims)
    return claims
  }
}
