import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

/** A challenge's purpose; provider sign-ins use the same table. */
export type ChallengeKind =
  | 'second-step'
  | 'second-step-passkey'
  | 'passkey-login'
  | 'passkey-registration'
  | 'totp-setup'
  | 'step-up'

/** A stored challenge. Its ID is the hash of the value given to the client. */
export type NewChallenge = {
  readonly id: string
  readonly kind: ChallengeKind
  readonly userId?: UserId
  readonly sessionId?: SessionId
  readonly data: unknown
  readonly expiresAt: Date
}

export type OpenChallenge = {
  readonly id: string
  readonly userId: UserId | null
  readonly sessionId: SessionId | null
  readonly data: unknown
  readonly tries: number
}

/** Stores a challenge and deletes expired ones. False if the ID exists. */
export async function insertChallenge(db: Reader, challenge: NewChallenge, now: Date): Promise<boolean> {
  await db.deleteFrom('challenges').where('expires_at', '<', now.toISOString()).execute()
  const result = await db
    .insertInto('challenges')
    .values({
      id: challenge.id,
      kind: challenge.kind,
      user_id: challenge.userId ?? null,
      session_id: challenge.sessionId ?? null,
      data: JSON.stringify(challenge.data),
      tries: 0,
      expires_at: challenge.expiresAt.toISOString(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findChallenge(
  db: Reader,
  kind: ChallengeKind,
  id: string,
  now: Date,
): Promise<OpenChallenge | undefined> {
  const row = await db
    .selectFrom('challenges')
    .select(['id', 'user_id', 'session_id', 'data', 'tries'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { id: row.id, userId: row.user_id, sessionId: row.session_id, data: JSON.parse(row.data), tries: row.tries }
}

export async function findChallengeOfSession(
  db: Reader,
  kind: ChallengeKind,
  sessionId: SessionId,
  now: Date,
): Promise<OpenChallenge | undefined> {
  const row = await db
    .selectFrom('challenges')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .orderBy('expires_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && findChallenge(db, kind, row.id, now)
}

/** Counts an attempt; false if the challenge has expired or has no attempts left. */
export async function countAttempt(db: Reader, id: string, maxAttempts: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('challenges')
    .set((values) => ({ tries: values('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', maxAttempts)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Deletes a challenge; only one of several concurrent calls succeeds. */
export async function consumeChallenge(db: Reader, id: string): Promise<boolean> {
  const result = await db.deleteFrom('challenges').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function dropChallengesOfSession(db: Reader, kind: ChallengeKind, sessionId: SessionId): Promise<void> {
  await db.deleteFrom('challenges').where('session_id', '=', sessionId).where('kind', '=', kind).execute()
}

export async function dropSecondSteps(db: Reader, userId: UserId): Promise<void> {
  const kinds: ChallengeKind[] = ['second-step', 'second-step-passkey']
  await db.deleteFrom('challenges').where('user_id', '=', userId).where('kind', 'in', kinds).execute()
}
