import type { Permission } from '#domain/access/permission.ts'
import { t } from '#web/i18n/t.ts'

/** What a permission lets one do, as people say it. */
export const PERMISSION_LABELS: { readonly [Name in Permission]: string } = {
  'records:read': t('See records'),
  'records:create': t('Add records'),
  'records:update': t('Change records'),
  'records:delete': t('Delete records'),
  'records:transition': t('Move records through their workflow'),
  'records:export': t('Export records'),
  'records:import': t('Import records'),
  'collections:manage': t('Change collections and their fields'),
  'views:share': t('Share views with everybody'),
  'users:manage': t('Invite people and change their roles'),
  'roles:manage': t('Change what roles allow'),
  'workspace:manage': t('Change settings of the workspace'),
  'audit:read': t('Read the audit log'),
  'metrics:read': t('Read the metrics of the server'),
}

const isKnown = (name: string): name is Permission => Object.hasOwn(PERMISSION_LABELS, name)

/** A scope as people say it: what it lets one do, and where. `labels` tells the collections by their ids. */
export function describeScope(scope: string, labels: ReadonlyMap<string, string>): string {
  const [name = '', collection] = scope.split('@')
  const words = isKnown(name) ? PERMISSION_LABELS[name] : name
  if (collection === undefined) return words
  const label = labels.get(collection)
  return label === undefined
    ? t('{words} in a collection that is gone', { words })
    : t('{words} in {label}', { words, label })
}
