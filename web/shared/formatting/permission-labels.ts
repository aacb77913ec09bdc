import type { Permission } from '#domain/access/permission.ts'
import { t } from '#web/i18n/t.ts'

export const PERMISSION_LABELS: { readonly [Name in Permission]: string } = {
  'records:read': t('View records'),
  'records:create': t('Create records'),
  'records:update': t('Edit records'),
  'records:delete': t('Delete records'),
  'records:transition': t('Change record status'),
  'records:export': t('Export records'),
  'records:import': t('Import records'),
  'collections:manage': t('Manage collections and fields'),
  'views:share': t('Share views with everyone'),
  'users:manage': t('Manage users and their roles'),
  'roles:manage': t('Manage roles and permissions'),
  'workspace:manage': t('Manage workspace settings'),
  'audit:read': t('View audit log'),
  'metrics:read': t('Read server metrics'),
}

const isKnown = (name: string): name is Permission => Object.hasOwn(PERMISSION_LABELS, name)

/** Describes an API scope. `labels` maps collection ids to names. */
export function describeScope(scope: string, labels: ReadonlyMap<string, string>): string {
  const [name = '', collection] = scope.split('@')
  const words = isKnown(name) ? PERMISSION_LABELS[name] : name
  if (collection === undefined) return words
  const label = labels.get(collection)
  return label === undefined
    ? t('{words} in a deleted collection', { words })
    : t('{words} in {label}', { words, label })
}
