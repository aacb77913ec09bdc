import type { SessionId, UserId } from '../shared/ids.ts'
import { SESSION } from '../specification.ts'

/**
 * How the refresh token is sent: in an HttpOnly cookie for browsers, or in the body for API clients. Fixed per session.
 */
export const SESSION_KINDS = ['browser', 'api'] as const

export type SessionKind = (typeof SESSION_KINDS)[number]

export type SignInMethod = 'password' | 'totp' | 'passkey' | 'recovery-code' | 'provider' | 'link'

export type EndReason =
  | 'signed-out'
  | 'signed-in-again'
  | 'ended-from-list'
  | 'refresh-reused'
  | 'password-changed'
  | 'password-reset'
  | 'user-disabled'
  | 'ended-by-manager'
  | 'factors-removed'
  | 'over-limit'
  | 'timed-out'
  | 'restored'
  | 'keys-replaced'
  | 'keys-lost'
  | 'upgraded'
  | 'ended-by-operator'

export type Session = {
  readonly id: SessionId
  readonly userId: UserId
  readonly kind: SessionKind
  /** Number of token rotations; included in the current token. */
  readonly counter: number
  readonly rotatedAt: Date
  /** Whether the current refresh token, or an access token issued with it, has been used. */
  readonly isSuccessorSeen: boolean
  /** Both expiry times follow the current policy. */
  readonly endsAt: Date
  readonly idleEndsAt: Date
  readonly isEnded: boolean
}

export function isAlive(session: Pick<Session, 'endsAt' | 'idleEndsAt' | 'isEnded'>, now: Date): boolean {
  return !session.isEnded && now < session.endsAt && now < session.idleEndsAt
}

/** Within this window, concurrent refreshes from several tabs, or a retry, get the same new token. */
export const DUPLICATE_WINDOW_MS = 10_000

/**
 * `rotate`: issue the next token; `current`: the token is recent, so keep it; `repeat`: the previous token was sent, so
 * return the current one again; `reused`: terminate the session; `ended`: the session has expired.
 */
export type RefreshDecision = 'rotate' | 'current' | 'repeat' | 'reused' | 'ended'

/**
 * Detects stolen refresh tokens. `counter` comes from the token, whose MAC has been verified. Outside the retry window,
 * the previous token is accepted only if its successor was never used, which means that the response was lost.
 * Otherwise, the sender isn't the client that received the response.
 */
export function decideRefresh(session: Session, counter: number, now: Date): RefreshDecision {
  if (!isAlive(session, now)) return 'ended'
  // The token is authentic but was never issued, so the signing keys were stolen.
  if (counter > session.counter) return 'reused'
  // Absolute difference, so that setting the clock back doesn't make an old token look recent.
  const isRecent = Math.abs(now.getTime() - session.rotatedAt.getTime()) <= DUPLICATE_WINDOW_MS
  // Browser tabs share one cookie, but an API client has its own token, so every API refresh rotates the token.
  if (counter === session.counter) return isRecent && session.kind === 'browser' ? 'current' : 'rotate'
  if (counter < session.counter - 1) return 'reused'
  return isRecent || !session.isSuccessorSeen ? 'repeat' : 'reused'
}

/** A token without an expiry is `unknown`, not expired. */
export type TokenAge = 'valid' | 'expired' | 'unknown'

/** Used by both the browser client and the server. Times are Unix timestamps in ms. */
export function tokenAge(expiresAtMs: number | undefined, nowMs: number): TokenAge {
  if (expiresAtMs === undefined) return 'unknown'
  return nowMs < expiresAtMs - SESSION.expiryMarginMs ? 'valid' : 'expired'
}
