import { collectionsQuery, viewsQuery } from '#web/data/queries/collections-query.ts'
import { queryClient } from '#web/data/queries/query-client.ts'
import { recordQuery } from '#web/data/queries/record-queries.ts'

export async function prefetchList(name: string): Promise<void> {
  await queryClient.prefetchQuery(collectionsQuery)
  const collection = queryClient.getQueryData(collectionsQuery.queryKey)?.find((each) => each.name === name)
  if (collection) await queryClient.prefetchQuery(viewsQuery(collection.id))
}

/** Prefetches a record unless it is cached: cached records are shown immediately and may be in use. */
export async function prefetchRecord(at: { readonly collection: string; readonly record: string }): Promise<void> {
  const query = recordQuery(at.collection, at.record)
  if (queryClient.getQueryData(query.queryKey) === undefined) await queryClient.prefetchQuery(query)
}
