import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listRecords } from '#api/records.ts'
import { printFilter } from '#domain/query/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'

/** What a record is called that is known by its id alone; null for one that whoever asks does not see. */
export const recordTitleQuery = (queryClient: QueryClient, collectionId: string, id: string) =>
  queryOptions({
    queryKey: queryKeys.recordList(collectionId, { titleOf: id }),
    queryFn: async ({ signal }) => {
      const collections = await queryClient.ensureQueryData(collectionsQuery)
      const body = collections.find((each) => each.id === collectionId)
      if (!body) return null
      const collection = typedCollection(body)
      const { titleField } = collection
      const { items } = await call(listRecords, {
        params: { collection: collectionId },
        query: {
          filter: printFilter({ field: 'id', op: '=', value: id }),
          ...(titleField !== null && { fields: titleField }),
          perPage: 1,
          count: 'none',
        },
        signal,
      })
      return items[0] ? recordTitle(collection, items[0]) : null
    },
    staleTime: 60_000,
  })
