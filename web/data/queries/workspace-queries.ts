import { queryOptions } from '@tanstack/react-query'
import { readProfileFields, readTimeZone } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'
import { listTours } from '#api/system.ts'

/** The time zone of the workspace, in which grants and rules read calendar days. */
export const timeZoneQuery = queryOptions({
  queryKey: queryKeys.timeZone,
  queryFn: ({ signal }) => call(readTimeZone, { signal }),
})

export const userAttributesQuery = queryOptions({
  queryKey: queryKeys.profileFields,
  queryFn: async ({ signal }) => (await call(readProfileFields, { signal })).items,
})

/** The tours this user has seen, and whether the workspace offers any. */
export const toursQuery = queryOptions({
  queryKey: queryKeys.tours,
  queryFn: ({ signal }) => call(listTours, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
