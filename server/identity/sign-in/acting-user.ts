import type { Actor } from '#domain/access/actor.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'

export function actingUser(actor: Actor): { readonly userId: UserId; readonly sessionId: SessionId | null } {
  if (actor.type === 'user') return actor
  throw new Problem('token-missing', 'Sign in to do this.')
}
