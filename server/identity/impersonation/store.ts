import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

export async function findView(
  db: Reader,
  session: SessionId,
): Promise<{ readonly id: UserId; readonly name: string } | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.view_as')
    .select(['users.id', 'users.name'])
    .where('sessions.id', '=', session)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export async function setView(db: Reader, session: SessionId, viewAs: UserId | null): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ view_as: viewAs })
    .where('id', '=', session)
    .where('ended_at', 'is', null)
    .execute()
}
