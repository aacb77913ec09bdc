import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator, SessionId, UserId } from '#domain/shared/ids.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { AccessRulesCache } from '#server/access/rights/access-rules-cache.ts'
import type { EndReason } from '#domain/sessions/session.ts'
import { checkRefreshToken, parseRefreshToken } from '#server/identity/session-tokens/refresh-token.ts'
import { endSessions, findSession, type StoredSession } from './store.ts'

/** What every story about sessions needs. */
export type SessionDeps = {
  readonly database: Database
  readonly keys: KeyRing
  readonly clock: Clock
  readonly newId: IdGenerator
  /** What roles mean at this moment. */
  readonly rules: AccessRulesCache
}

/** Where a session is used from, as far as the server can see. */
export type Device = { readonly userAgent: string; readonly address: string }

/** The session a refresh token belongs to, however old the token is. */
export async function sessionOfRefreshToken(
  { database, keys }: Pick<SessionDeps, 'database' | 'keys'>,
  token: string,
): Promise<StoredSession | undefined> {
  const presented = parseRefreshToken(token)
  if (presented === undefined) return undefined
  const session = await findSession(database.read, presented.sessionId)
  return session !== undefined && checkRefreshToken(keys, presented, session) === 'authentic' ? session : undefined
}

/** Ends every session of a user, as part of a larger write. */
export const endAllSessions = async (
  { db }: Transaction,
  userId: UserId,
  reason: EndReason,
  now: Date,
): Promise<number> => endSessions(db, { userId }, reason, now)

/** Ends every session of a user but the one they act with, as part of a larger write. */
export const endOtherSessions = async (
  { db }: Transaction,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: SessionId | null },
  reason: EndReason,
  now: Date,
): Promise<number> => endSessions(db, { userId, ...(sessionId === null ? {} : { allBut: sessionId }) }, reason, now)
