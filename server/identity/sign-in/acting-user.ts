import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'

export function actingUser(actor: Actor): Extract<Actor, { readonly type: 'user' }> {
  if (actor.type === 'user') return actor
  throw new Problem('token-missing', 'Sign in to do this.')
}
