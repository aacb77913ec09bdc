import { queryOptions } from '@tanstack/react-query'
import { readSearchIndex, searchEverything } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

/** How long an answer is believed while somebody types back and forth, in ms. */
const STALE_TIME_MS = 10_000

/** The first records that hold these words, in every collection. */
export const searchQuery = (words: string) =>
  queryOptions({
    queryKey: queryKeys.search(words),
    queryFn: ({ signal }) => call(searchEverything, { query: { q: words }, signal }),
    enabled: words !== '',
    staleTime: STALE_TIME_MS,
    // What was found before stays in sight until the answer is here; nothing searched shows nothing.
    placeholderData: (before) => (words === '' ? undefined : before),
  })

/** How often it is looked how far an index is, in ms. */
const POLL_INTERVAL_MS = 2_000

/** How far the index is that answers searches in a collection. */
export const searchIndexQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.searchIndex(collection),
    queryFn: ({ signal }) => call(readSearchIndex, { params: { collection }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'building' ? POLL_INTERVAL_MS : false),
  })
