import type { TourName } from '#web/data/storage/pending-tour.ts'

/** The version increases when there is something new to show. */
export type TourOffer = { readonly tour: TourName; readonly version: number }

export const WELCOME_TOUR: TourOffer = { tour: 'first-steps', version: 1 }

export const OWNER_TOUR: TourOffer = { tour: 'owner', version: 1 }
