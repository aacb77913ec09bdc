import type { Filter } from '../query/filter/filter.ts'
import type { Grant } from './grant.ts'
import { type AccessRules, OWNER, type Policy, type Role, grantsOfRoles } from './policy.ts'
import type { Permission } from './permission.ts'

/** Roles of a new workspace. All except `owner` can be edited afterwards. */
export const BUILT_IN_ROLES = ['owner', 'editor', 'contributor', 'viewer'] as const

export type BuiltInRole = (typeof BUILT_IN_ROLES)[number]

const OWN: Filter = { field: 'createdBy', op: '=', value: { marker: '@me' } }

const ids = (policy: string, grants: readonly Grant[]): Policy['grants'] =>
  grants.map((grant) => ({ ...grant, id: `${policy}-${grant.permission.replace(':', '-')}` }))

const everywhere = (...permissions: readonly Permission[]): readonly Grant[] =>
  permissions.map((permission) => ({ permission, collection: null }))

/** Policies of a new workspace. They are stored by a migration, so changing them requires another migration. */
export const FIRST_POLICIES: readonly Policy[] = [
  {
    id: 'editor',
    name: 'Edit all records',
    about: 'View, create, edit, delete and export the records of every collection, and change their status.',
    grants: ids(
      'editor',
      everywhere(
        'records:read',
        'records:create',
        'records:update',
        'records:delete',
        'records:transition',
        'records:export',
      ),
    ),
    examples: [],
    version: 1,
  },
  {
    id: 'contributor',
    name: 'Edit own records',
    about: 'Create records in every collection; view, edit and delete the ones they created, and change their status.',
    grants: ids('contributor', [
      { permission: 'records:read', collection: null, where: OWN },
      { permission: 'records:create', collection: null },
      { permission: 'records:update', collection: null, where: OWN },
      { permission: 'records:delete', collection: null, where: OWN },
      { permission: 'records:transition', collection: null, where: OWN },
    ]),
    examples: [],
    version: 1,
  },
  {
    id: 'viewer',
    name: 'View all records',
    about: 'View the records of every collection.',
    grants: ids('viewer', everywhere('records:read')),
    examples: [],
    version: 1,
  },
]

export const FIRST_ROLES: readonly Role[] = [
  { id: OWNER, name: 'Owner', about: 'Full access, including users and settings', policies: [], version: 1 },
  {
    id: 'editor',
    name: 'Editor',
    about: 'Views, creates, edits, deletes and exports records',
    policies: ['editor'],
    version: 1,
  },
  {
    id: 'contributor',
    name: 'Contributor',
    about: 'Creates records and edits only their own',
    policies: ['contributor'],
    version: 1,
  },
  { id: 'viewer', name: 'Viewer', about: 'Views records without editing them', policies: ['viewer'], version: 1 },
]

const FIRST_RULES: AccessRules = {
  roles: new Map(FIRST_ROLES.map((role) => [role.id, role])),
  policies: new Map(FIRST_POLICIES.map((policy) => [policy.id, policy])),
}

export const grantsOfBuiltIn = (role: BuiltInRole): readonly Grant[] => grantsOfRoles(FIRST_RULES, [role])
