import type { SessionKind } from '#domain/sessions/session.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/database/database.ts'

/** A session as it stands in the list. */
export type ListedSession = {
  readonly id: SessionId
  readonly kind: SessionKind
  readonly userAgent: string
  readonly address: string
  readonly createdAt: string
  readonly usedAt: string
  readonly endsAt: string
}

/** The sessions of a user that can still be used, last used first. */
export async function findListedSessions(db: Reader, userId: UserId, now: Date): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'kind', 'user_agent', 'address', 'created_at', 'used_at', 'ends_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now.toISOString())
    .where('idle_ends_at', '>', now.toISOString())
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind === 'api' ? 'api' : 'browser',
    userAgent: row.user_agent,
    address: row.address,
    createdAt: row.created_at,
    usedAt: row.used_at,
    endsAt: row.ends_at,
  }))
}

/** Remembers when and where from a session was last used. */
export async function noteSessionUse(
  db: Reader,
  id: SessionId,
  use: { readonly now: Date; readonly address: string },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ used_at: use.now.toISOString(), address: use.address })
    .where('id', '=', id)
    .execute()
}
