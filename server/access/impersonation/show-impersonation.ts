import type { SessionUser } from '#api/sessions.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findView } from './store.ts'

export async function showImpersonation(db: Reader, actor: Actor): Promise<SessionUser['view_as']> {
  if (actor.type !== 'user' || actor.sessionId === null) return null
  const { userId: id, name, impersonatedBy, sessionId } = actor
  if (impersonatedBy)
    return {
      user: { id, name },
      by: { id: impersonatedBy.userId, name: impersonatedBy.name },
      is_on: true,
      held: [...impersonatedBy.permissions],
    }
  const user = await findView(db, sessionId)
  return user ? { user, by: { id, name }, is_on: false, held: [] } : null
}
