import { queryOptions } from '@tanstack/react-query'
import { listTours } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'

/** The tours this user has seen, and whether the workspace offers any. */
export const toursQuery = queryOptions({
  queryKey: queryKeys.tours,
  queryFn: ({ signal }) => call(listTours, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
