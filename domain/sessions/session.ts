import type { SessionId, UserId } from '../shared/ids.ts'

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
