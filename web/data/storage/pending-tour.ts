import { createEmitter } from '#web/ui/store.ts'

export const TOUR_NAMES = [
  'first-steps',
  'owner',
  'list',
  'record',
  'import',
  'collection-settings',
  'people',
  'roles',
  'role',
  'workspace',
  'outbox',
  'audit',
  'profile',
  'security',
  'sessions',
  'tokens',
] as const

export type TourName = (typeof TOUR_NAMES)[number]

export type PendingTour = { readonly tour: TourName; readonly from: number }

export const tourRequests = createEmitter<PendingTour>()

export const requestTour = (tour: TourName, from = 0): void => tourRequests.emit({ tour, from })
