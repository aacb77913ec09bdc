import type { SessionId, UserId } from '../shared/ids.ts'
import { SESSION } from '../specification.ts'

/** How the refresh token travels: in a cookie no script can read, or in the body for programs. A session is one for good. */
export const SESSION_KINDS = ['browser', 'api'] as const

/** One of the two ways. */
export type SessionKind = (typeof SESSION_KINDS)[number]

/** How somebody can prove who they are. */
export type SignInMethod = 'password' | 'totp' | 'passkey' | 'recovery-code' | 'provider' | 'link'

/** Why a session is over. */
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

/** A signed-in device. */
export type Session = {
  readonly id: SessionId
  readonly userId: UserId
  readonly kind: SessionKind
  /** How many times the refresh token was rotated; the current token carries this number. */
  readonly counter: number
  readonly rotatedAt: Date
  /** Whether the current refresh token, or an access token made with it, was ever seen. */
  readonly isSuccessorSeen: boolean
  /** Both ends as the workspace's policy has them now. */
  readonly endsAt: Date
  readonly idleEndsAt: Date
  readonly isEnded: boolean
}

/** Whether a session can still be used: not ended, not past its end, not idle for too long. */
export function isAlive(session: Pick<Session, 'endsAt' | 'idleEndsAt' | 'isEnded'>, now: Date): boolean {
  return !session.isEnded && now < session.endsAt && now < session.idleEndsAt
}

/**
 * How long a refresh token counts as just made. Two tabs that refresh at once, or an answer sent twice, get the same
 * successor within this time; a browser that sends the current one is answered without making another.
 */
export const DUPLICATE_WINDOW_MS = 10_000

/**
 * What a refresh token is worth: `rotate` makes the next one; `current` was made a moment ago and stays; `repeat` answers
 * the current one to whoever still has the one before; `reused` ends the session; `ended` is too late.
 */
export type RefreshDecision = 'rotate' | 'current' | 'repeat' | 'reused' | 'ended'

/**
 * WHERE A STOLEN REFRESH TOKEN IS NOTICED. `counter` is the number the token carries; its MAC was checked before.
 * The previous token is accepted late only while its successor was never seen: then the answer was lost on its way.
 * Once the successor was seen, whoever still holds the previous one is not who got the answer.
 */
export function decideRefresh(session: Session, counter: number, now: Date): RefreshDecision {
  if (!isAlive(session, now)) return 'ended'
  // Authentic, but never issued: whoever made it holds the keys. That is theft like any other.
  if (counter > session.counter) return 'reused'
  // A clock that was set back makes the token old, not young for hours.
  const isRecent = Math.abs(now.getTime() - session.rotatedAt.getTime()) <= DUPLICATE_WINDOW_MS
  // All tabs of a browser share one cookie. A program has one token and one place for it: each refresh makes the next.
  if (counter === session.counter) return isRecent && session.kind === 'browser' ? 'current' : 'rotate'
  if (counter < session.counter - 1) return 'reused'
  return isRecent || !session.isSuccessorSeen ? 'repeat' : 'reused'
}

/** What can be said of a token's age; a token that names no expiry is `unknown`, which is not expired. */
export type TokenAge = 'valid' | 'expired' | 'unknown'

/** The only judge of token age: the browser's client and the server's guard both ask here. Times in ms since 1970. */
export function tokenAge(expiresAtMs: number | undefined, nowMs: number): TokenAge {
  if (expiresAtMs === undefined) return 'unknown'
  return nowMs < expiresAtMs - SESSION.expiryMarginMs ? 'valid' : 'expired'
}
