import { queryOptions } from '@tanstack/react-query'
import { listViews, type ViewBody } from '#api/views.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'

/** Delay in ms until changes to shared views by others appear; focus refetches at once. */
const REFETCH_INTERVAL_MS = 30_000

/** Keyed by the ID of the collection, so that renaming it keeps them. */
export const viewsQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.views(collection),
    queryFn: async ({ signal }): Promise<readonly ViewBody[]> =>
      (await call(listViews, { params: { collection }, signal })).items,
    refetchInterval: REFETCH_INTERVAL_MS,
  })
