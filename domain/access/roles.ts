import type { UserId } from '../shared/ids.ts'
import type { Grant } from './grant.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

/** The built-in roles. */
export const ROLES = ['owner', 'editor', 'viewer'] as const

/** The name of a built-in role. */
export type RoleName = (typeof ROLES)[number]

/** The role of this name; undefined for one this version does not know, which grants nothing. */
export const roleNamed = (name: string): RoleName | undefined => ROLES.find((role) => role === name)

const EDITOR_PERMISSIONS: readonly Permission[] = [
  'records:read',
  'records:create',
  'records:update',
  'records:delete',
  'records:transition',
  'records:export',
]

const PERMISSIONS_OF: { readonly [Role in RoleName]: readonly Permission[] } = {
  owner: PERMISSIONS,
  editor: EDITOR_PERMISSIONS,
  viewer: ['records:read'],
}

/** What a role grants: every permission of it, in every collection. */
export const grantsOfRole = (role: RoleName): readonly Grant[] =>
  PERMISSIONS_OF[role].map((permission) => ({ permission, collection: null }))

/** Says what somebody is granted. */
export type GrantsOf = (user: { readonly id: UserId; readonly role: RoleName | undefined }) => readonly Grant[]

/** What the built-in roles grant; a role this version does not know grants nothing. */
export const grantsOfBuiltIn: GrantsOf = ({ role }) => (role === undefined ? [] : grantsOfRole(role))
