import { isAlive, type Session } from './session.ts'

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
