import type { Actor } from '#domain/access/actor.ts'
import { narrowGrants } from '#domain/access/scope.ts'
import type { Database } from '#server/database/database.ts'
import type { RightsOf } from './rights.ts'
import { findRightsAccount } from './roles-store.ts'

/** What it takes to know what somebody holds at this moment. */
export type NowNeeds = { readonly database: Database; readonly rightsOf: RightsOf }

/**
 * Whoever began something that goes on beside requests, with what they hold at this moment; undefined when they may not
 * come in any more. What was begun with a token stays within its scopes.
 */
export async function actorNow({ database, rightsOf }: NowNeeds, actor: Actor): Promise<Actor | undefined> {
  if (actor.type !== 'user') return actor
  const account = await findRightsAccount(database.read, actor.userId)
  if (!account) return undefined
  const rights = await rightsOf(account)
  const grants = actor.scopes === undefined ? rights.grants : narrowGrants(rights.grants, actor.scopes)
  return { ...actor, ...rights, grants }
}
