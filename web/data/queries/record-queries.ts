import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createRecord, readRecord, type RecordBody, updateRecord } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { createEmitter } from '#web/ui/store.ts'
import { queryKeys } from './query-client.ts'

/** Image URLs are signed for a limited time; refetch before they expire. */
export const SIGNED_URL_REFRESH_MS = 30 * 60 * 1000

export const recordQuery = (collection: string, record: string) =>
  queryOptions({
    queryKey: queryKeys.record(collection, record),
    queryFn: ({ signal }) => call(readRecord, { params: { collection, record }, query: { expand: '*' }, signal }),
    // A background refetch must not overwrite what the user is typing.
    refetchOnWindowFocus: false,
    refetchInterval: SIGNED_URL_REFRESH_MS,
  })

export function useCreateRecord(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (values: { readonly [field: string]: unknown }) =>
      call(createRecord, { params: { collection }, body: { values: { ...values } } }),
    onSuccess: () => invalidateLists(queryClient, collection),
  })
}

export const saveRecord = (
  collection: string,
  { id, version }: Pick<RecordBody, 'id' | 'version'>,
  values: { readonly [field: string]: unknown },
): Promise<RecordBody> =>
  call(updateRecord, { params: { collection, record: id }, body: { values: { ...values }, version } })

/** Invalidates all lists, groups and counts of a collection; single records stay. */
export function invalidateLists(queryClient: QueryClient, collection: string): void {
  const all = queryKeys.records(collection)
  void queryClient.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[all.length] !== 'one' })
}

/** Caches a record, so that returning to it shows the latest version at once. */
export function cacheRecord(queryClient: QueryClient, collection: string, record: RecordBody): void {
  queryClient.setQueryData(recordQuery(collection, record.id).queryKey, (before) =>
    before?.people && !record.people ? { ...record, people: before.people } : record,
  )
}

export const deletedRecords = createEmitter<ReadonlySet<string>>()
