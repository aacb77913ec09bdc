import type { TourDefinition, TourStep } from '#web/ui/tour/tour-machine.ts'

/** Tour targets, as `data-tour="…"` or `mark="…"`. */
const TOUR_TARGETS = [
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

type TourTarget = (typeof TOUR_TARGETS)[number]

export const targetSelector = (mark: TourTarget): string => `[data-tour="${mark}"]`

type StepOptions = Partial<Pick<TourStep, 'selector' | 'isOptional'>>

export const step = (mark: TourTarget, title: string, text: string, options: StepOptions = {}): TourStep => ({
  selector: targetSelector(mark),
  title,
  text,
  ...options,
})

/** The first version of a tour. */
export const tour = (...steps: TourDefinition['steps']): TourDefinition => ({ version: 1, steps })
