/** Everything one may be allowed to do; scopes carry the same names. */
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

/** One thing one may be allowed to do. */
export type Permission = (typeof PERMISSIONS)[number]

/** What a grant may say besides its permission and its collection. */
export type GrantPart = 'where' | 'fields' | 'presets'

/** Which permissions take what: a delete takes no fields, and an import no condition, for nothing could try it in time. */
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

/** Whether a grant of this permission may say something about records, about single fields, or about what new records start with. */
export const supportsPart = (permission: Permission, part: GrantPart): boolean =>
  PERMISSIONS_WITH_PART[part].has(permission)
