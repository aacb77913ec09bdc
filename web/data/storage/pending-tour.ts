/** Every tour there is; the first two are offered, the others belong to a page and are asked for. */
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

/** The name of a tour. */
export type TourName = (typeof TOUR_NAMES)[number]

/** A tour somebody asks for, and the step at which it goes on. */
export type PendingTour = { readonly tour: TourName; readonly from: number }

const listeners = new Set<(wish: PendingTour) => void>()

/** Asks for a tour to be shown, whoever shows it. */
export function requestTour(tour: TourName = 'first-steps', from = 0): void {
  for (const grant of listeners) grant({ tour, from })
}

/** Is called whenever somebody asks for a tour. */
export function onTourRequested(grant: (wish: PendingTour) => void): () => void {
  listeners.add(grant)
  return () => {
    listeners.delete(grant)
  }
}
