import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { countRecords } from '#api/home.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'
import { type CollectionBody, listCollections } from '#api/collections.ts'
import { listRecords } from '#api/records.ts'
import { type ViewBody, type ViewNameBody, listViewNames, listViews } from '#api/views.ts'

/** Refetch interval in ms for other users' changes; the user's own changes trigger an immediate refetch. */
const REFRESHED_MS = 30_000
/** Refetch interval in ms while the server is computing counts. */
const RETRIED_MS = 1_500
/** Maximum number of refetches, because collections that the user manages but can't read are never counted. */
const MAX_RETRIES = 8

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

/** Debounce delay in ms, so that a series of changes refetches the counts only once. */
const DEBOUNCE_MS = 400

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

export const collectionsQuery = queryOptions({
  queryKey: queryKeys.collections,
  queryFn: async ({ signal }): Promise<readonly CollectionBody[]> => (await call(listCollections, { signal })).items,
})

/** Record count, exact up to ten thousand. */
export const recordCountQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.recordCount(collection),
    queryFn: async ({ signal }) => {
      const query = { perPage: 1, count: 'capped' } as const
      const { total, totalIs } = await call(listRecords, { params: { collection }, query, signal })
      return { total, isExact: totalIs === 'exact' }
    },
  })

/** Interval in ms after which other users' changes to shared views appear; window focus refetches immediately. */
const REFETCH_INTERVAL_MS = 30_000

/** Keyed by collection ID, so that views remain cached when the collection is renamed. */
export const viewsQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.views(collection),
    queryFn: async ({ signal }): Promise<readonly ViewBody[]> =>
      (await call(listViews, { params: { collection }, signal })).items,
    refetchInterval: REFETCH_INTERVAL_MS,
  })

export const viewNamesQuery = queryOptions({
  queryKey: queryKeys.viewNames,
  queryFn: async ({ signal }): Promise<readonly ViewNameBody[]> => (await call(listViewNames, { signal })).items,
})
