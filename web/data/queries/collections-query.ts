import { queryOptions } from '@tanstack/react-query'
import { type CollectionBody, listCollections } from '#api/collections.ts'
import { listRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-keys.ts'

/** The collections whoever is signed in may see, in the order of the sidebar. */
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
