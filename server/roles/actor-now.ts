import type { Actor } from '#domain/access/actor.ts'
import { narrowGrants } from '#domain/access/scope.ts'
import { isSeen } from '#domain/access/view-as.ts'
import type { Database } from '#server/database/database.ts'
import type { RightsOf } from './rights.ts'
import { userNow } from './user-now.ts'

/** What it takes to know what somebody holds at this moment. */
export type NowNeeds = { readonly database: Database; readonly rightsOf: RightsOf }

/**
 * Whoever began something that goes on beside requests, with what they hold at this moment; undefined when they may not
 * come in any more. What was begun with a token stays within its scopes.
 */
export async function actorNow({ database, rightsOf }: NowNeeds, actor: Actor): Promise<Actor | undefined> {
  if (actor.type !== 'user') return actor
  // Whoever looks as somebody else begins nothing.
  if (isSeen(actor)) return undefined
  const user = await userNow(database.read, rightsOf, actor.userId)
  if (!user) return undefined
  const { rights } = user
  const grants = actor.scopes === undefined ? rights.grants : narrowGrants(rights.grants, actor.scopes)
  return { ...actor, ...rights, grants }
}
