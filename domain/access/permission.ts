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
