import { SESSION } from '#domain/specification.ts'

/**
 * Token claims that the browser reads without verification, because only the time of the next refresh depends on them.
 */
type TokenClaims = { readonly [name: string]: unknown }

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
 * Expiry time, by this device's clock, of a token received at `receivedAtMs`. Calculated from the token's lifetime, so
 * that a wrong clock has no effect; tokens without a lifetime use the value from the specification.
 */
export function tokenEndMs(token: string, receivedAtMs: number): number {
  const { exp, iat } = claimsOf(token)
  const [endsAt, issuedAt] = [seconds(exp), seconds(iat)]
  if (endsAt === undefined) return receivedAtMs + SESSION.tokenMaxAgeSeconds * 1000
  return issuedAt === undefined ? endsAt * 1000 : receivedAtMs + (endsAt - issuedAt) * 1000
}

export function tokenUserId(token: string): string | undefined {
  const { sub } = claimsOf(token)
  return typeof sub === 'string' ? sub : undefined
}
