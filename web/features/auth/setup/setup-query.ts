import { queryOptions } from '@tanstack/react-query'
import { readSetup } from '#api/sessions.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

/** Whether the workspace still waits for its owner. */
export const setupQuery = queryOptions({
  queryKey: queryKeys.setup,
  queryFn: ({ signal }) => callOpenly(readSetup, { signal }),
  // A page that waits at the sign-in asks for nothing by itself.
  refetchOnWindowFocus: false,
})
