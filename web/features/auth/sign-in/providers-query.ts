import { queryOptions } from '@tanstack/react-query'
import { listProviders } from '#api/providers.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'

/** The identity providers one can sign in with; the sign-in page stands without waiting for them. */
export const providersQuery = queryOptions({
  queryKey: queryKeys.providers,
  queryFn: ({ signal }) => callOpenly(listProviders, { signal }),
  // A page that waits at the sign-in asks for nothing by itself.
  refetchOnWindowFocus: false,
  select: ({ items }) => items,
})
