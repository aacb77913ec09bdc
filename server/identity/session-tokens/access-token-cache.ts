import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { type AccessClaims, readAccessToken } from './access-token.ts'

/** Most tokens remembered, about 1 kB each; the one unused for longest goes first. */
const MAX_TOKENS = 2000

/**
 * Reads access tokens and remembers what those of ours say: a signature stays right for as long as the keys do, so a
 * change of the keys forgets them all, and nothing else of a token is judged by it. Proving it again with each request took a sixth of a small read, and in the
 * same few threads that compare passwords, so that everybody waited for whoever signed in.
 */
export function createTokenReader(keys: KeyRing): (token: string) => Promise<AccessClaims | undefined> {
  const known = new Map<string, AccessClaims>()

  function remember(token: string, claims: AccessClaims): void {
    // A map keeps the order of insertion, so whatever was used last stands last.
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
