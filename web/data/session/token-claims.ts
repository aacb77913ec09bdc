import { SESSION } from '#domain/specification.ts'

/** What the browser reads of a token. Its signature is the server's business: all that depends on this is when to ask anew. */
type TokenClaims = { readonly [name: string]: unknown }

/** The claims of a token; none where it is no JWT. */
function claimsOf(token: string): TokenClaims {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1]
  if (payload === undefined) return {}
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? { ...claims } : {}
  } catch {
    return {}
  }
}

const seconds = (claim: unknown) => (typeof claim === 'number' && Number.isFinite(claim) ? claim : undefined)

/**
 * When a token that came at `receivedAtMs` ends, by this device's own clock: after as long as the server made it for. So
 * a clock that is an hour off changes nothing. A token that does not say ends after the time of the specification.
 */
export function tokenEndMs(token: string, receivedAtMs: number): number {
  const { exp, iat } = claimsOf(token)
  const [endsAt, issuedAt] = [seconds(exp), seconds(iat)]
  if (endsAt === undefined) return receivedAtMs + SESSION.tokenMaxAgeSeconds * 1000
  return issuedAt === undefined ? endsAt * 1000 : receivedAtMs + (endsAt - issuedAt) * 1000
}

/** Whose token it is; undefined where it does not say. */
export function tokenUserId(token: string): string | undefined {
  const { sub } = claimsOf(token)
  return typeof sub === 'string' ? sub : undefined
}
