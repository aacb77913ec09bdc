import { queryOptions } from '@tanstack/react-query'
import { listTours } from '#api/system.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

export const toursQuery = queryOptions({
  queryKey: queryKeys.tours,
  queryFn: async ({ signal }) => (await call(listTours, { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})
