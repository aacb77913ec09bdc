/** What tours point at, as `data-tour="…"` or `mark="…"` in the pages. */
export const TOUR_TARGETS = [
  'navigation',
  'search',
  'help',
  'page-title',
  'page-actions',
  'section-nav',
  'collections',
  'grid',
  'grid-search',
  'grid-tools',
  'record-title',
  'record-fields',
  'record-editor',
  'record-files',
  'import-file',
  'fields',
  'rules',
  'workflow',
  'collection-access',
  'people',
  'roles',
  'policies',
  'role-matrix',
  'role-policies',
  'role-people',
  'profile-fields',
  'storage',
  'session-policy',
  'audit-filter',
  'security-summary',
  'passkeys',
  'totp',
  'password',
  'sessions',
] as const

/** The name of something tours point at. */
export type TourTarget = (typeof TOUR_TARGETS)[number]

/** Finds it in a page. */
export const targetSelector = (mark: TourTarget): string => `[data-tour="${mark}"]`
