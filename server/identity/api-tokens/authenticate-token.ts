import type { Actor } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { narrowGrants, parseScope, type Scope } from '#domain/access/scope.ts'
import { shouldRecordUse, checkApiToken } from '#domain/sessions/api-token.ts'
import type { Clock } from '#domain/shared/clock.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'
import { secondFactorRequired } from '#server/platform/http/guard.ts'
import { findToken, recordTokenUse } from './store.ts'

/** What it takes to know who a token speaks for. */
export type TokenActorDeps = { readonly database: Database; readonly clock: Clock; readonly rightsOf: RightsOf }

/**
 * Who asks with an API token: its user, with what they hold at this moment and the token's scopes leave of it. A token
 * without a session opens nothing that is done by hand.
 */
export async function findTokenActor(
  { database, clock, rightsOf }: TokenActorDeps,
  bearer: string,
): Promise<Result<Actor, Problem>> {
  const token = await findToken(database.readByKey, hashSecret(bearer))
  const now = clock()
  const verdict = token === undefined || token.user.isDisabled ? 'revoked' : checkApiToken(token, now)
  if (token === undefined || verdict === 'revoked') {
    return fail(new Problem('token-invalid', 'This API token is invalid or was revoked.'))
  }
  if (verdict === 'expired') return fail(new Problem('token-expired', 'This API token has expired. Create a new one.'))

  if (shouldRecordUse(token.usedAt, now)) await database.write(({ db }) => recordTokenUse(db, token.id, now))
  const { id, name } = token.user
  const scopes = token.scopes.flatMap((scope) => parseScope(scope) ?? [])
  const { requiresSecondFactor, ...rights } = await rightsOf(token.user)
  if (requiresSecondFactor && !token.user.hasSecondFactor) return fail(secondFactorRequired())
  const grants = narrowedGrants(rights.grants, scopes)
  return ok({ type: 'user', userId: id, sessionId: null, name, ...rights, grants, scopes, tokenId: token.id })
}

/** Grants are the same objects from request to request; so are those narrowed, and what is remembered of either counts. */
const narrowed = new WeakMap<readonly Grant[], Map<string, readonly Grant[]>>()

function narrowedGrants(grants: readonly Grant[], scopes: readonly Scope[]): readonly Grant[] {
  const byScopes = narrowed.get(grants) ?? new Map<string, readonly Grant[]>()
  narrowed.set(grants, byScopes)
  const key = scopes.map(({ permission, collection }) => `${permission}@${collection ?? ''}`).join(' ')
  const left = byScopes.get(key) ?? narrowGrants(grants, scopes)
  byScopes.set(key, left)
  return left
}
