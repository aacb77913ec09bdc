import { SESSION } from '../specification.ts'

/** What can be said of a token's age; a token that names no expiry is `unknown`, which is not expired. */
export type TokenAge = 'valid' | 'expired' | 'unknown'

/** The only judge of token age: the browser's client and the server's guard both ask here. Times in ms since 1970. */
export function tokenAge(expiresAtMs: number | undefined, nowMs: number): TokenAge {
  if (expiresAtMs === undefined) return 'unknown'
  return nowMs < expiresAtMs - SESSION.expiryMarginMs ? 'valid' : 'expired'
}
