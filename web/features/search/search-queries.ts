import { queryOptions } from '@tanstack/react-query'
import { readSearchIndex, searchEverything } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

/** Cache time while typing back and forth. */
const STALE_TIME_MS = 10_000

export const searchQuery = (words: string) =>
  queryOptions({
    queryKey: queryKeys.search(words),
    queryFn: ({ signal }) => call(searchEverything, { query: { q: words }, signal }),
    enabled: words !== '',
    staleTime: STALE_TIME_MS,
    // Keeps previous results until new ones arrive; an empty search has none.
    placeholderData: (before) => (words === '' ? undefined : before),
  })

const POLL_INTERVAL_MS = 2_000

export const searchIndexQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.searchIndex(collection),
    queryFn: ({ signal }) => call(readSearchIndex, { params: { collection }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'building' ? POLL_INTERVAL_MS : false),
  })
