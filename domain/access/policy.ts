import type { CollectionId, ExampleId, FieldId, GrantId, PolicyId, RecordId, RoleId, UserId } from '../shared/ids.ts'
import type { Grant } from './grant.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

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

/** The subject of an example: a user with all their roles, or a holder of exactly one role. */
export type ExampleWho = { readonly user: UserId } | { readonly role: RoleId }

/**
 * A sentence that must stay true: “Ana may not read Salary of People”. Without a record, “may” means in some records at
 * least, and “may not” in none.
 */
export type Example = {
  readonly id: ExampleId
  readonly who: ExampleWho
  readonly may: boolean
  readonly permission: Permission
  /** null: the workspace as a whole. */
  readonly collection: CollectionId | null
  readonly field: FieldId | null
  readonly record: RecordId | null
}

/** A named set of policies. A user's roles add up. */
export type Role = {
  readonly id: RoleId
  readonly name: string
  /** Who it is for, in the owner's words. */
  readonly about: string
  readonly policies: readonly PolicyId[]
  /** Counts up with every change. */
  readonly version: number
}

/** The role with all permissions. It cannot be changed, so that mistakes can always be fixed. */
export const OWNER: RoleId = 'owner'

/** Most roles of a workspace, and most policies: lists of them are read by people. */
export const MAX_ROLES = 200

/** Most roles one user may have. */
export const MAX_ROLES_OF_A_USER = 20
