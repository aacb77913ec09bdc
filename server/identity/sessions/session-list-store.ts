import { type SessionKind, isAlive } from '#domain/sessions/session.ts'
import { sessionEnds } from '#domain/sessions/session-policy.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findSessionPolicy } from './session-policy-store.ts'

export type ListedSession = {
  readonly id: SessionId
  readonly kind: SessionKind
  readonly userAgent: string
  readonly address: string
  readonly createdAt: string
  readonly usedAt: string
  readonly endsAt: string
}

export async function findListedSessions(db: Reader, userId: UserId, now: Date): Promise<ListedSession[]> {
  const policy = await findSessionPolicy(db)
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'kind', 'user_agent', 'address', 'created_at', 'used_at', 'ends_at', 'is_remembered'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now.toISOString())
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap((row) => {
    const { created_at: createdAt, used_at: usedAt } = row
    const ends = sessionEnds(
      {
        createdAt: new Date(createdAt),
        usedAt: new Date(usedAt),
        endsAt: new Date(row.ends_at),
        isRemembered: row.is_remembered === 1,
      },
      policy,
    )
    if (!isAlive({ ...ends, isEnded: false }, now)) return []
    const kind = row.kind === 'api' ? 'api' : 'browser'
    const endsAt = ends.endsAt.toISOString()
    return [{ id: row.id, kind, userAgent: row.user_agent, address: row.address, createdAt, usedAt, endsAt }]
  })
}

export async function saveSessionUse(
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
