import type { RoleId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import type { Grant } from './grant.ts'
import type { Permission } from './permission.ts'
import { OWNER } from './policy.ts'
import { isGrantCovered } from './grant-coverage.ts'

/** Impersonation requires both permissions. */
const IMPERSONATION_PERMISSIONS: readonly Permission[] = ['users:manage', 'roles:manage']

export type RolesAndGrants = { readonly roles: readonly RoleId[]; readonly grants: readonly Grant[] }

/** Reasons to deny impersonation: missing permissions, an owner account, or a user who can see more than the viewer. */
export type ImpersonationRefusal = 'not-allowed' | 'owner' | 'sees-more'

/** Grants that remain in effect during impersonation. */
export const readGrants = (grants: readonly Grant[]): readonly Grant[] =>
  grants.filter(({ permission }) => permission === 'records:read')

export const isImpersonated = (actor: Actor): boolean => actor.type === 'user' && actor.impersonatedBy !== undefined

/** Non-owners can only impersonate users whose readable records are a subset of their own. */
export function decideImpersonation(viewer: RolesAndGrants, subject: RolesAndGrants): 'allowed' | ImpersonationRefusal {
  const lacks = IMPERSONATION_PERMISSIONS.some((one) => !viewer.grants.some(({ permission }) => permission === one))
  if (lacks) return 'not-allowed'
  if (viewer.roles.includes(OWNER)) return 'allowed'
  if (subject.roles.includes(OWNER)) return 'owner'
  return readGrants(subject.grants).every((grant) => isGrantCovered(grant, viewer.grants)) ? 'allowed' : 'sees-more'
}
