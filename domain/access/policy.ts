import type { CollectionId, ExampleId, FieldId, GrantId, PolicyId, RecordId, RoleId, UserId } from '../shared/ids.ts'
import type { Grant } from './grant.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

export type PolicyGrant = Grant & { readonly id: GrantId }

/** A named set of grants, with examples that must hold. */
export type Policy = {
  readonly id: PolicyId
  readonly name: string
  readonly about: string
  readonly grants: readonly PolicyGrant[]
  readonly examples: readonly Example[]
  /** Incremented on every change. */
  readonly version: number
}

export const MAX_GRANTS = 200

/** Limited because all examples are evaluated before each access change is saved. */
export const MAX_EXAMPLES = 100

export type AccessRules = {
  readonly roles: ReadonlyMap<RoleId, Role>
  readonly policies: ReadonlyMap<PolicyId, Policy>
}

export const OWNER_GRANTS: readonly Grant[] = PERMISSIONS.map((permission) => ({ permission, collection: null }))

/** Grants of the given roles; missing roles and policies grant nothing. */
export function grantsOfRoles(rules: AccessRules, roles: readonly RoleId[]): readonly Grant[] {
  if (roles.includes(OWNER)) return OWNER_GRANTS
  const policies = new Set(roles.flatMap((role) => rules.roles.get(role)?.policies ?? []))
  return [...policies].flatMap((policy): readonly Grant[] => rules.policies.get(policy)?.grants ?? [])
}

export type ExampleWho = { readonly user: UserId } | { readonly role: RoleId }

/**
 * For example, “Ana can't read Salary in People”. Without a record, `may` means in at least one record, and its
 * negation means in none.
 */
export type Example = {
  readonly id: ExampleId
  readonly who: ExampleWho
  readonly may: boolean
  readonly permission: Permission
  /** null: the whole workspace. */
  readonly collection: CollectionId | null
  readonly field: FieldId | null
  readonly record: RecordId | null
}

/** Named set of policies; a user has the combined grants of all their roles. */
export type Role = {
  readonly id: RoleId
  readonly name: string
  readonly about: string
  readonly policies: readonly PolicyId[]
  readonly version: number
}

/** The owner role has every permission and can't be changed, so owners can't lock themselves out. */
export const OWNER: RoleId = 'owner'

/** Limit for roles and for policies. */
export const MAX_ROLES = 200

export const MAX_ROLES_OF_A_USER = 20
