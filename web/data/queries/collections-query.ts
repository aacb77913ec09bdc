import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { countRecords } from '#api/home.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'
import { type CollectionBody, listCollections } from '#api/collections.ts'
import { listRecords } from '#api/records.ts'

/** What others change is seen this late, in ms; what one changes oneself is asked for at once. */
const REFRESHED_MS = 30_000
/** What the server is still counting is asked for again so soon, in ms. */
const RETRIED_MS = 1_500
/** So often; collections one manages and does not read are never counted. */
const MAX_RETRIES = 8

/** How many records each collection has, by its id, as far as the server knows that by heart. */
export const recordCountsQuery = (collections: number) =>
  queryOptions({
    queryKey: queryKeys.counts,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const { items } = await call(countRecords, { signal })
      return new Map(items.map(({ collection, total }) => [collection, total]))
    },
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < MAX_RETRIES && (state.data?.size ?? 0) < collections ? RETRIED_MS : REFRESHED_MS,
    structuralSharing: false,
  })

/** Behind a burst of changes the numbers are asked for once, in ms. */
const DEBOUNCE_MS = 400

/** Has numbers and what waits read again behind everything that is changed in this tab; ends what it began. */
export function refetchCountsAfterChanges(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    if (type !== 'updated' || mutation?.state.status !== 'success') return
    clearTimeout(timer)
    timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: queryKeys.home }), DEBOUNCE_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

/** The readable collections in sidebar order. */
export const collectionsQuery = queryOptions({
  queryKey: queryKeys.collections,
  queryFn: async ({ signal }): Promise<readonly CollectionBody[]> => (await call(listCollections, { signal })).items,
})

/** How many records a collection has; exact up to ten thousand, which is as much as a glance needs. */
export const recordCountQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.recordCount(collection),
    queryFn: async ({ signal }) => {
      const query = { perPage: 1, count: 'capped' } as const
      const { total, totalIs } = await call(listRecords, { params: { collection }, query, signal })
      return { total, isExact: totalIs === 'exact' }
    },
  })
