import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { SESSION } from '#domain/specification.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'

const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'
const AUDIENCE = 'dossier'

/** What an access token says. */
export type AccessClaims = {
  readonly userId: UserId
  readonly sessionId: SessionId
  /** The number of the refresh token it was made with. */
  readonly generation: number
  readonly expiresAtMs: number
}

/** A token and when it ends. */
export type MintedToken = { readonly token: string; readonly expiresAt: Date }

const payloadSchema = z.object({ sub: z.string(), sid: z.string(), gen: z.number(), exp: z.number() })

/** Signs an access token with the current key; it lives as long as the specification says. */
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
 * Reads a token that we signed; undefined for any other. Its age is not looked at here: that is judged by
 * `domain/sessions/session.ts` alone, and signing out works with an old token, too.
 */
export async function readAccessToken(keys: KeyRing, token: string): Promise<AccessClaims | undefined> {
  // An id that is unknown, or of a key that counts no more, is proven against the current one, and so fails.
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

/** Most tokens remembered, about 1 kB each; the one unused for longest goes first. */
const MAX_TOKENS = 2000

/**
 * Verifies access tokens and caches their claims: a signature stays valid until the keys change, which clears the
 * cache. Verifying with every request took a sixth of a small read, on the threads that also hash passwords.
 */
export function createTokenReader(keys: KeyRing): (token: string) => Promise<AccessClaims | undefined> {
  const known = new Map<string, AccessClaims>()

  function remember(token: string, claims: AccessClaims): void {
    // Most recently used last, by insertion order.
    known.delete(token)
    known.set(token, claims)
    const [oldest] = known.size > MAX_TOKENS ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
  }

  let edition = keys.edition
  return async (token) => {
    const asOf = keys.edition
    if (asOf !== edition) known.clear()
    edition = asOf
    const claims = known.get(token) ?? (await readAccessToken(keys, token))
    if (claims !== undefined && keys.edition === asOf) remember(token, claims)
    return claims
  }
}
