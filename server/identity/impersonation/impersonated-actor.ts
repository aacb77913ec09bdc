import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '#domain/access/actor.ts'
import { heldPermissions } from '#domain/access/decide.ts'
import { PERMISSIONS } from '#domain/access/permission.ts'
import { decideImpersonation, type ImpersonationRefusal, readGrants } from '#domain/access/impersonation.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'
import { findUserWithRights } from '#server/access/rights/rights.ts'

const REFUSAL_MESSAGES: { readonly [Refusal in ImpersonationRefusal]: string } = {
  'not-allowed': 'Viewing as another user requires permission to manage users and roles. Ask an owner.',
  owner: 'Only owners can view as an owner.',
  'sees-more': 'This user has more access than you, so you can’t view as them. Ask an owner.',
}

export const impersonationProblem = (refusal: ImpersonationRefusal): Problem =>
  new Problem('forbidden', REFUSAL_MESSAGES[refusal])

export type UserActor = Extract<Actor, { readonly type: 'user' }>

/** The header that names the impersonated user. Only the authenticator reads it. */
const VIEW_AS = 'view-as'

export function impersonatedUserOf(headers: IncomingHttpHeaders): UserId | undefined {
  const given = headers[VIEW_AS]
  return given === undefined ? undefined : String(given)
}

export const tokenCannotImpersonate = (): Problem =>
  new Problem('forbidden', 'You can’t use an API token to view as another user. Sign in with a browser.')

type ImpersonationRequest = {
  readonly wanted: UserId
  readonly begun: UserId | null
}

/**
 * The impersonated user with their current grants, limited to reading. The permission to impersonate is checked on
 * every request; if it was revoked, the request is rejected instead of running as the real user.
 */
export async function createImpersonatedActor(
  { database, rightsOf }: { readonly database: Database; readonly rightsOf: RightsOf },
  self: UserActor,
  { wanted, begun }: ImpersonationRequest,
): Promise<Result<Actor, Problem>> {
  const user = wanted === begun ? await findUserWithRights(database.read, rightsOf, wanted) : undefined
  if (user === undefined) {
    return fail(new Problem('view-as-ended', 'You are no longer viewing as this user. Continue as yourself.'))
  }
  const { id, name, rights } = user
  const outcome = decideImpersonation({ roles: self.roles ?? [], grants: self.grants }, rights)
  if (outcome !== 'allowed') return fail(impersonationProblem(outcome))
  const actor: UserActor = {
    type: 'user',
    userId: id,
    sessionId: self.sessionId,
    name,
    ...rights,
    grants: readGrants(rights.grants),
  }
  const held = heldPermissions({ ...actor, grants: rights.grants }, PERMISSIONS)
  return ok({ ...actor, impersonatedBy: { userId: self.userId, name: self.name, permissions: held } })
}
