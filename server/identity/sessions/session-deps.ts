import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator, SessionId, UserId } from '#domain/shared/ids.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { AccessRulesCache } from '#server/access/rights/access-rules-cache.ts'
import type { EndReason } from '#domain/sessions/session.ts'
import { checkRefreshToken, parseRefreshToken } from '#server/identity/session-tokens/refresh-token.ts'
import { type StoredSession, endSessions, findSession } from './store.ts'

export type SessionDeps = {
  readonly database: Database
  readonly keys: KeyRing
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly rules: AccessRulesCache
}

export type Device = { readonly userAgent: string; readonly address: string }

export async function sessionOfRefreshToken(
  { database, keys }: Pick<SessionDeps, 'database' | 'keys'>,
  token: string,
): Promise<StoredSession | undefined> {
  const presented = parseRefreshToken(token)
  if (presented === undefined) return undefined
  const session = await findSession(database.read, presented.sessionId)
  return session !== undefined && checkRefreshToken(keys, presented, session) === 'authentic' ? session : undefined
}

export const endAllSessions = async (
  { db }: Transaction,
  userId: UserId,
  reason: EndReason,
  now: Date,
): Promise<number> => endSessions(db, { userId }, reason, now)

export const endOtherSessions = async (
  { db }: Transaction,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: SessionId | null },
  reason: EndReason,
  now: Date,
): Promise<number> => endSessions(db, { userId, ...(sessionId === null ? {} : { allBut: sessionId }) }, reason, now)

/** A session's absolute expiry; later policy changes don't extend it. */
export const sessionEndTime = async (db: Reader, id: SessionId): Promise<Date | undefined> =>
  (await findSession(db, id))?.endsAt
