import type { Permission } from '#domain/access/permission.ts'

/** What a permission lets one do, as people say it. */
export const PERMISSION_WORDS: { readonly [Name in Permission]: string } = {
  'records:read': 'See records',
  'records:create': 'Add records',
  'records:update': 'Change records',
  'records:delete': 'Delete records',
  'records:transition': 'Move records through their workflow',
  'records:export': 'Export records',
  'records:import': 'Import records',
  'collections:manage': 'Change collections and their fields',
  'views:share': 'Share views with everybody',
  'users:manage': 'Invite people and change their roles',
  'roles:manage': 'Change what roles allow',
  'workspace:manage': 'Change settings of the workspace',
  'audit:read': 'Read the audit log',
  'metrics:read': 'Read the metrics of the server',
}

const isKnown = (name: string): name is Permission => Object.hasOwn(PERMISSION_WORDS, name)

/** A scope as people say it: what it lets one do, and where. `labels` tells the collections by their ids. */
export function scopeInWords(scope: string, labels: ReadonlyMap<string, string>): string {
  const [name = '', collection] = scope.split('@')
  const words = isKnown(name) ? PERMISSION_WORDS[name] : name
  return collection === undefined ? words : `${words} in ${labels.get(collection) ?? 'a collection that is gone'}`
}
