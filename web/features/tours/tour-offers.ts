import { queryOptions } from '@tanstack/react-query'
import { listTours } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import type { TourName } from '#web/data/storage/pending-tour.ts'

/** The version increases when there is something new to show. */
export type TourOffer = { readonly tour: TourName; readonly version: number }

export const WELCOME_TOUR: TourOffer = { tour: 'first-steps', version: 1 }

export const OWNER_TOUR: TourOffer = { tour: 'owner', version: 1 }

export const toursQuery = queryOptions({
  queryKey: queryKeys.tours,
  queryFn: async ({ signal }) => (await call(listTours, { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})
