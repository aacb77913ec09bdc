export const TOUR_NAMES = [
  'first-steps',
  'owner',
  'home',
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

const listeners = new Set<(request: PendingTour) => void>()

export function requestTour(tour: TourName = 'first-steps', from = 0): void {
  for (const grant of listeners) grant({ tour, from })
}

export function onTourRequested(grant: (request: PendingTour) => void): () => void {
  listeners.add(grant)
  return () => {
    listeners.delete(grant)
  }
}
