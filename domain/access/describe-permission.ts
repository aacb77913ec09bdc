import type { Permission } from './permission.ts'

/** What a permission allows, as it follows “can” or “cannot”; other languages put the “not” elsewhere. */
const PERMISSION_PHRASES: { readonly [One in Permission]: (what: string, not: string) => string } = {
  'records:read': (what, not) => `${not} view ${what}`,
  'records:create': (what, not) => `${not} create ${what}`,
  'records:update': (what, not) => `${not} edit ${what}`,
  'records:delete': (what, not) => `${not} delete ${what}`,
  'records:transition': (what, not) => `${not} change the status of ${what}`,
  'records:export': (what, not) => `${not} export ${what}`,
  'records:import': (what, not) => `${not} import into ${what}`,
  'collections:manage': (what, not) => `${not} edit the definition of ${what}`,
  'views:share': (what, not) => `${not} share views of ${what}`,
  'users:manage': (_, not) => `${not} manage users`,
  'roles:manage': (_, not) => `${not} manage roles`,
  'workspace:manage': (_, not) => `${not} manage workspace settings`,
  'audit:read': (_, not) => `${not} view the audit log`,
  'metrics:read': (_, not) => `${not} view metrics`,
}

/** What a permission allows: “view Tasks”. */
export const describePermission = (permission: Permission, what: string): string =>
  PERMISSION_PHRASES[permission](what, '').trim()

/** The parts of a sentence about a permission, with labels instead of IDs. */
export type AccessStatement = {
  readonly who: string
  readonly may: boolean
  readonly permission: Permission
  /** null: the workspace as a whole. */
  readonly collection: string | null
  readonly field: string | null
  readonly isOneRecord: boolean
}

/** “Ana cannot view Salary in People”. */
export function accessSentence({ who, may, permission, collection, field, isOneRecord }: AccessStatement): string {
  const place = collection ?? 'everything'
  const what = field === null ? place : `${field} in ${place}`
  const where = isOneRecord ? ' in one record' : ''
  return `${who} can${PERMISSION_PHRASES[permission](what, may ? '' : 'not')}${where}`
}
