import type { RoleId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import type { Grant } from './grant.ts'
import type { Permission } from './permission.ts'
import { OWNER } from './role.ts'
import { isGrantCovered } from './grant-coverage.ts'

/** What somebody needs who looks at the product as another user sees it: both of these. */
const IMPERSONATION_PERMISSIONS: readonly Permission[] = ['users:manage', 'roles:manage']

/** Somebody, by what they hold. */
export type RightsHeld = { readonly roles: readonly RoleId[]; readonly grants: readonly Grant[] }

/** Why somebody may not look: they lack the permissions, it is an owner, or it would show them more than they see themselves. */
export type ImpersonationRefusal = 'not-allowed' | 'owner' | 'sees-more'

/** What is left to whoever looks as somebody else: the records, to read. Everything else needs the user themselves. */
export const readGrants = (grants: readonly Grant[]): readonly Grant[] =>
  grants.filter(({ permission }) => permission === 'records:read')

/** Whether an actor is somebody else who looks as this user. */
export const isImpersonated = (actor: Actor): boolean => actor.type === 'user' && actor.seenBy !== undefined

/**
 * Whether somebody may look as somebody else. It must be no way to see more than one's own: whoever is no owner sees
 * only as users whose records are within theirs.
 */
export function decideImpersonation(onlooker: RightsHeld, subject: RightsHeld): 'allowed' | ImpersonationRefusal {
  const lacks = IMPERSONATION_PERMISSIONS.some((one) => !onlooker.grants.some(({ permission }) => permission === one))
  if (lacks) return 'not-allowed'
  if (onlooker.roles.includes(OWNER)) return 'allowed'
  if (subject.roles.includes(OWNER)) return 'owner'
  return readGrants(subject.grants).every((grant) => isGrantCovered(grant, onlooker.grants)) ? 'allowed' : 'sees-more'
}
