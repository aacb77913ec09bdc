import type { SessionId, UserId } from '../shared/ids.ts'
import { SESSION } from '../specification.ts'

/** How the refresh token is sent: in an HttpOnly cookie, or in the body for programs. Fixed per session. */
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
  /** Number of rotations; the current token contains it. */
  readonly counter: number
  readonly rotatedAt: Date
  /** Whether the current refresh token, or an access token issued with it, was used. */
  readonly isSuccessorSeen: boolean
  /** Both expiry times follow the current policy. */
  readonly endsAt: Date
  readonly idleEndsAt: Date
  readonly isEnded: boolean
}

export function isAlive(session: Pick<Session, 'endsAt' | 'idleEndsAt' | 'isEnded'>, now: Date): boolean {
  return !session.isEnded && now < session.endsAt && now < session.idleEndsAt
}

/** Within this window, tabs that refresh simultaneously, or a repeated request, get the same successor. */
export const DUPLICATE_WINDOW_MS = 10_000

/**
 * `rotate`: issue the next token; `current`: still new, keep it; `repeat`: return the current token for the previous
 * one; `reused`: end the session; `ended`: the session has expired.
 */
export type RefreshDecision = 'rotate' | 'current' | 'repeat' | 'reused' | 'ended'

/**
 * Detects stolen refresh tokens. `counter` comes from the token, whose MAC was verified. The previous token is accepted
 * late only if its successor was never used, which means that the response was lost. Otherwise, its holder is not the
 * client that received the response.
 */
export function decideRefresh(session: Session, counter: number, now: Date): RefreshDecision {
  if (!isAlive(session, now)) return 'ended'
  // Authentic but never issued: the signing keys were stolen.
  if (counter > session.counter) return 'reused'
  // A clock set back must not make a token look recent for hours.
  const isRecent = Math.abs(now.getTime() - session.rotatedAt.getTime()) <= DUPLICATE_WINDOW_MS
  // A browser's tabs share one cookie; a program has one token, so each refresh rotates it.
  if (counter === session.counter) return isRecent && session.kind === 'browser' ? 'current' : 'rotate'
  if (counter < session.counter - 1) return 'reused'
  return isRecent || !session.isSuccessorSeen ? 'repeat' : 'reused'
}

/** A token without an expiry is `unknown`, not expired. */
export type TokenAge = 'valid' | 'expired' | 'unknown'

/** Used by both the browser client and the server. In ms since 1970. */
export function tokenAge(expiresAtMs: number | undefined, nowMs: number): TokenAge {
  if (expiresAtMs === undefined) return 'unknown'
  return nowMs < expiresAtMs - SESSION.expiryMarginMs ? 'valid' : 'expired'
}
