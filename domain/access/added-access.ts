import type { Collection } from '#domain/collections/collection.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { CollectionId, RoleId } from '#domain/shared/ids.ts'
import { type AllowedDecision, type Decision, decide } from './decide.ts'
import { type Grant, isPerCollection } from './grant.ts'
import { PERMISSIONS, type Permission } from './permission.ts'
import { ANY_COLLECTION } from './check-policy.ts'
import { type AccessRules, grantsOfRoles } from './policy.ts'

/** Permission that is newly granted, or whose scope has grown. */
export const ACCESS_ADDITIONS = ['permission', 'records', 'fields', 'presets', 'transitions'] as const

export type AccessAddition = (typeof ACCESS_ADDITIONS)[number]

export type AddedAccess = {
  readonly permission: Permission
  /** null: all collections, including future ones, or a workspace permission. */
  readonly collection: CollectionId | null
  readonly adds: AccessAddition
}

type Scene = { readonly rules: AccessRules; readonly collections: readonly Collection[] }

/** Permissions that a role adds to the user's other roles; empty if it adds none. */
export function addedAccess({ rules, collections }: Scene, roles: readonly RoleId[], role: RoleId): AddedAccess[] {
  const before = { roles, grants: grantsOfRoles(rules, roles) }
  const after = { roles: [...roles, role], grants: grantsOfRoles(rules, [...roles, role]) }
  return PERMISSIONS.flatMap((permission) => {
    const inAll = additionIn(ANY_COLLECTION, permission, before, after)
    const everywhere = inAll === undefined ? [] : [{ permission, collection: null, adds: inAll }]
    if (!isPerCollection(permission)) return everywhere
    const apart = collections.flatMap((collection): AddedAccess[] => {
      const adds = additionIn(collection, permission, before, after)
      return adds === undefined || adds === inAll ? [] : [{ permission, collection: collection.id, adds }]
    })
    return [...everywhere, ...apart]
  })
}

type Holder = { readonly roles: readonly RoleId[]; readonly grants: readonly Grant[] }

function additionIn(
  collection: Collection,
  permission: Permission,
  before: Holder,
  after: Holder,
): AccessAddition | undefined {
  const [one, other] = [decisionOf(before, permission, collection), decisionOf(after, permission, collection)]
  if (!other.allowed) return undefined
  if (!one.allowed) return 'permission'
  if (!sameJson(one.where ?? null, other.where ?? null)) return 'records'
  if (hasMoreFields(one, other)) return 'fields'
  if (!sameJson(one.presets ?? null, other.presets ?? null)) return 'presets'
  return permission === 'records:transition' && opensTransition(collection, before, after) ? 'transitions' : undefined
}

const decisionOf = ({ grants }: Holder, permission: Permission, collection: Collection): Decision =>
  decide({ type: 'user', userId: '', sessionId: null, name: '', grants }, permission, collection)

/** Grants only add access, so any difference between the decisions means that more fields are accessible. */
function hasMoreFields(one: AllowedDecision, other: AllowedDecision): boolean {
  const partly = ({ partlyHidden }: AllowedDecision) => [...(partlyHidden ?? [])]
  return !sameJson([...one.hiddenFields], [...other.hiddenFields]) || !sameJson(partly(one), partly(other))
}

const opensTransition = ({ workflow }: Collection, before: Holder, after: Holder): boolean =>
  workflow?.transitions.some(({ roles }) => isAmong(roles, after) && !isAmong(roles, before)) ?? false

const isAmong = (roles: readonly RoleId[], holder: Holder): boolean =>
  roles.length === 0 || roles.some((role) => holder.roles.includes(role))
