import type { Actor } from '#domain/access/actor.ts'
import { narrowGrants } from '#domain/access/scope.ts'
import { isSeen } from '#domain/access/view-as.ts'
import { judgeApiToken } from '#domain/sessions/api-token.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/database/database.ts'
import { findTokenLife } from '#server/tokens/store.ts'
import type { RightsOf } from './rights.ts'
import { userNow } from './user-now.ts'

/** What it takes to know what somebody holds at this moment. */
export type NowNeeds = { readonly database: Database; readonly clock: Clock; readonly rightsOf: RightsOf }

/**
 * Whoever began something that goes on beside requests, with what they hold at this moment; undefined when they may not
 * come in any more. What was begun with a token stays within its scopes, and ends with it.
 */
export async function actorNow(needs: NowNeeds, actor: Actor): Promise<Actor | undefined> {
  if (actor.type !== 'user') return actor
  // Whoever looks as somebody else begins nothing.
  if (isSeen(actor)) return undefined
  if (actor.scopes !== undefined && !(await isTokenGood(needs, actor.tokenId))) return undefined
  const user = await userNow(needs.database.read, needs.rightsOf, actor.userId)
  if (!user) return undefined
  const { rights } = user
  const grants = actor.scopes === undefined ? rights.grants : narrowGrants(rights.grants, actor.scopes)
  return { ...actor, ...rights, grants }
}

async function isTokenGood({ database, clock }: NowNeeds, id: string | undefined): Promise<boolean> {
  const life = id === undefined ? undefined : await findTokenLife(database.read, id)
  return life !== undefined && judgeApiToken(life, clock()) === 'good'
}
