import { queryOptions } from '@tanstack/react-query'
import { readSetup } from '#api/sessions.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

export const setupQuery = queryOptions({
  queryKey: queryKeys.setup,
  queryFn: ({ signal }) => callOpenly(readSetup, { signal }),
  // The sign-in page doesn't need fresh data.
  refetchOnWindowFocus: false,
})
