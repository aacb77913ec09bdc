/** All permissions; scopes use the same names. */
export const PERMISSIONS = [
  'records:read',
  'records:create',
  'records:update',
  'records:delete',
  'records:transition',
  'records:export',
  'records:import',
  'collections:manage',
  'views:share',
  'users:manage',
  'roles:manage',
  'workspace:manage',
  'audit:read',
  'metrics:read',
] as const

export type Permission = (typeof PERMISSIONS)[number]

export type GrantPart = 'where' | 'fields' | 'presets'

/** Deletion can't be limited by field. Imports can't have a condition, because rows can't be checked in time. */
const PERMISSIONS_WITH_PART: { readonly [Part in GrantPart]: ReadonlySet<Permission> } = {
  where: new Set([
    'records:read',
    'records:create',
    'records:update',
    'records:delete',
    'records:transition',
    'records:export',
  ]),
  fields: new Set(['records:read', 'records:create', 'records:update', 'records:export', 'records:import']),
  presets: new Set(['records:create']),
}

export const supportsPart = (permission: Permission, part: GrantPart): boolean =>
  PERMISSIONS_WITH_PART[part].has(permission)
