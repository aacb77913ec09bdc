import type { Permission } from './permission.ts'

/** What one does who has a permission, as it stands behind “may”: “Ana may see Salary of People”. */
const PERMISSION_VERBS: { readonly [One in Permission]: string } = {
  'records:read': 'see',
  'records:create': 'add',
  'records:update': 'change',
  'records:delete': 'delete',
  'records:transition': 'move along their workflow',
  'records:export': 'export',
  'records:import': 'import into',
  'collections:manage': 'change the definition of',
  'views:share': 'share views of',
  'users:manage': 'manage users',
  'roles:manage': 'manage roles',
  'workspace:manage': 'change the settings of the workspace',
  'audit:read': 'read the audit log',
  'metrics:read': 'read metrics',
}

/** The parts of a sentence about rights, by the names people know. */
export type RightsSentence = {
  readonly who: string
  readonly may: boolean
  readonly permission: Permission
  /** null: the workspace as a whole. */
  readonly collection: string | null
  readonly field: string | null
  readonly isOneRecord: boolean
}

/** “Ana may not see Salary of People.” without the full stop. */
export function rightsSentence({ who, may, permission, collection, field, isOneRecord }: RightsSentence): string {
  const of = collection === null ? '' : field === null ? ` ${collection}` : ` ${field} of ${collection}`
  const where = isOneRecord ? ' in one record' : ''
  return `${who} may ${may ? '' : 'not '}${PERMISSION_VERBS[permission]}${of}${where}`
}
