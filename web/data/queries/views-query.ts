import { queryOptions } from '@tanstack/react-query'
import { listViews, type ViewBody } from '#api/views.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'

/** How soon changes to shared views by others appear, in ms; focus refetches at once. */
const REFETCH_INTERVAL_MS = 30_000

/** The views of a collection, named by its id so that they stay when it is renamed. */
export const viewsQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.views(collection),
    queryFn: async ({ signal }): Promise<readonly ViewBody[]> =>
      (await call(listViews, { params: { collection }, signal })).items,
    refetchInterval: REFETCH_INTERVAL_MS,
  })
