import type { Actor } from '#domain/access/actor.ts'
import { narrowGrants } from '#domain/access/grant.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { Database } from '#server/platform/database/database.ts'
import { currentScopes } from '#server/identity/api-tokens/write-token.ts'
import { findUserWithRights, type RightsOf } from '#server/access/rights/rights.ts'

export type CurrentActorDeps = { readonly database: Database; readonly clock: Clock; readonly rightsOf: RightsOf }

/**
 * The user who started a background task, with current permissions; undefined if they lost access. Tasks started with
 * an API token are limited to its scopes and stop when it is revoked.
 */
export async function currentActor(deps: CurrentActorDeps, actor: Actor): Promise<Actor | undefined> {
  if (actor.type !== 'user') return actor
  // Background tasks can't run while impersonating.
  if (isImpersonated(actor)) return undefined
  const isToken = actor.scopes !== undefined
  const scopes = actor.tokenId === undefined ? undefined : await currentScopes(deps, actor.tokenId)
  if (isToken && scopes === undefined) return undefined
  const user = await findUserWithRights(deps.database.read, deps.rightsOf, actor.userId)
  if (!user) return undefined
  const { rights } = user
  const grants = scopes === undefined ? rights.grants : narrowGrants(rights.grants, scopes)
  return { ...actor, ...rights, grants, ...(scopes && { scopes }) }
}
