import type { Permission } from './permission.ts'

/** What one does with something who has a permission, as it stands behind “may”; other languages put the “not” elsewhere. */
const PERMISSION_PHRASES: { readonly [One in Permission]: (what: string, not: string) => string } = {
  'records:read': (what, not) => `${not}see ${what}`,
  'records:create': (what, not) => `${not}add ${what}`,
  'records:update': (what, not) => `${not}change ${what}`,
  'records:delete': (what, not) => `${not}delete ${what}`,
  'records:transition': (what, not) => `${not}move ${what} along their workflow`,
  'records:export': (what, not) => `${not}export ${what}`,
  'records:import': (what, not) => `${not}import into ${what}`,
  'collections:manage': (what, not) => `${not}change the definition of ${what}`,
  'views:share': (what, not) => `${not}share views of ${what}`,
  'users:manage': (_, not) => `${not}manage users`,
  'roles:manage': (_, not) => `${not}manage roles`,
  'workspace:manage': (_, not) => `${not}change the settings of the workspace`,
  'audit:read': (_, not) => `${not}read the audit log`,
  'metrics:read': (_, not) => `${not}read metrics`,
}

/** What somebody with a permission may do: “see Tasks”. */
export const doingInWords = (permission: Permission, what: string): string => PERMISSION_PHRASES[permission](what, '')

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
  const place = collection ?? 'everything'
  const what = field === null ? place : `${field} of ${place}`
  const where = isOneRecord ? ' in one record' : ''
  return `${who} may ${PERMISSION_PHRASES[permission](what, may ? '' : 'not ')}${where}`
}
