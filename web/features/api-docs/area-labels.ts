import type { AreaName } from '#api/all-endpoints.ts'
import { t } from '#web/i18n/t.ts'

const LABELS: { readonly [Name in AreaName]: string } = {
  Records: t('Records'),
  Collections: t('Collections'),
  Views: t('Views'),
  'Favorites and home': t('Favorites and home'),
  Files: t('Files'),
  Uploads: t('Uploads'),
  'Import and export': t('Import and export'),
  'Sign-in': t('Authentication'),
  Account: t('Account'),
  People: t('People'),
  Roles: t('Roles'),
  Workspace: t('Workspace'),
}

/** What an area is called in the language of the page; one that is not known here, as the server calls it. */
export const areaLabel = (area: string): string => Object.entries(LABELS).find(([name]) => name === area)?.[1] ?? area
