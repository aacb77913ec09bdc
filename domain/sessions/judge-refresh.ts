import { isAlive, type Session } from './session.ts'

/** Two tabs that refresh at once, or an answer sent twice, get the same successor within this time. */
export const DUPLICATE_WINDOW_MS = 10_000

/**
 * What a refresh token is worth: `rotate` makes the next one, `repeat` answers the current one once more, `reused`
 * ends the session, `ended` is too late, `invalid` was never issued here.
 */
export type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'ended' | 'invalid'

/**
 * WHERE A STOLEN REFRESH TOKEN IS NOTICED. `counter` is the number the token carries; its MAC was checked before.
 * The previous token is accepted late only while its successor was never seen: then the answer was lost on its way.
 * Once the successor was seen, whoever still holds the previous one is not who got the answer.
 */
export function judgeRefresh(session: Session, counter: number, now: Date): RefreshVerdict {
  if (!isAlive(session, now)) return 'ended'
  if (counter > session.counter) return 'invalid'
  if (counter === session.counter) return 'rotate'
  if (counter < session.counter - 1) return 'reused'

  const isDuplicate = now.getTime() - session.rotatedAt.getTime() <= DUPLICATE_WINDOW_MS
  return isDuplicate || !session.isSuccessorSeen ? 'repeat' : 'reused'
}
