import type { GrantId, PolicyId, RoleId } from '../shared/ids.ts'
import type { Example } from './example.ts'
import type { Grant } from './grant.ts'
import { PERMISSIONS } from './permission.ts'
import { OWNER, type Role } from './role.ts'

/** A grant that can be named: explanations say which one decided. */
export type PolicyGrant = Grant & { readonly id: GrantId }

/** A named set of grants, with examples that hold as long as it does what it is for. */
export type Policy = {
  readonly id: PolicyId
  readonly name: string
  readonly about: string
  readonly grants: readonly PolicyGrant[]
  readonly examples: readonly Example[]
  /** Counts up with every change. */
  readonly version: number
}

/** Most grants of one policy: they are read for every request of its holders. */
export const MAX_GRANTS = 200

/** Most examples of one policy: all of them are tried before anything about access is saved. */
export const MAX_EXAMPLES = 100

/** The roles and policies of a workspace at one moment. */
export type AccessRules = {
  readonly roles: ReadonlyMap<RoleId, Role>
  readonly policies: ReadonlyMap<PolicyId, Policy>
}

/** Everything, in every collection, those to come as well. */
export const OWNER_GRANTS: readonly Grant[] = PERMISSIONS.map((permission) => ({ permission, collection: null }))

/** The grants of these roles; a missing role or policy grants nothing. */
export function grantsOfRoles(rules: AccessRules, roles: readonly RoleId[]): readonly Grant[] {
  if (roles.includes(OWNER)) return OWNER_GRANTS
  const policies = new Set(roles.flatMap((role) => rules.roles.get(role)?.policies ?? []))
  return [...policies].flatMap((policy): readonly Grant[] => rules.policies.get(policy)?.grants ?? [])
}
