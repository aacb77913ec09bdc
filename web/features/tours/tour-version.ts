import type { TourName } from '#web/data/storage/pending-tour.ts'

/** A tour that is offered, to whoever has not met this version of it. It counts up when there is something new to show. */
export type TourOffer = { readonly tour: TourName; readonly version: number }

/** The welcome: to everybody. */
export const WELCOME_TOUR: TourOffer = { tour: 'first-steps', version: 1 }

/** What only owners do: to them, at a visit after the welcome. */
export const OWNER_TOUR: TourOffer = { tour: 'owner', version: 1 }
