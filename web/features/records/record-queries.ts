import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { bulkChange } from '#api/bulk.ts'
import { createRecord, deleteRecord, readRecord, type RecordBody, updateRecord } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import type { DeletionWay } from '#web/client/pending-deletions.ts'
import { queryKeys } from '#web/client/query-keys.ts'

/** The addresses of pictures are signed for a while; what stays open longer is read again before they end. */
export const FRESH_ADDRESSES_MS = 30 * 60 * 1000

/** One record with its related records and files as objects. */
export const recordQuery = (collection: string, record: string) =>
  queryOptions({
    queryKey: queryKeys.record(collection, record),
    queryFn: ({ signal }) => call(readRecord, { params: { collection, record }, query: { expand: '*' }, signal }),
    // What one writes must not be overtaken by an answer one did not ask for.
    refetchOnWindowFocus: false,
    refetchInterval: FRESH_ADDRESSES_MS,
  })

/** Makes a record and answers it. */
export function useCreateRecord(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (values: { readonly [field: string]: unknown }) =>
      call(createRecord, { params: { collection }, body: { values: { ...values } } }),
    onSuccess: () => forgetLists(queryClient, collection),
  })
}

/** Saves values of a record, if it is still at this version. */
export const saveRecord = (
  collection: string,
  { id, version }: Pick<RecordBody, 'id' | 'version'>,
  values: { readonly [field: string]: unknown },
): Promise<RecordBody> =>
  call(updateRecord, { params: { collection, record: id }, body: { values: { ...values }, version } })

/** Removes records; of several those that may be removed. Answers how many that were. */
export async function removeRecords(collection: string, ids: readonly string[], way: DeletionWay): Promise<number> {
  const [only] = ids
  if (only !== undefined && ids.length === 1) {
    await call(deleteRecord, { params: { collection, record: only }, ...way })
    return 1
  }
  const body = { where: { only: [...ids] }, delete: true as const }
  const said = await call(bulkChange, { params: { collection }, body, ...way })
  return 'deleted' in said ? said.deleted : 0
}

/** Has every list, group and count of a collection read anew when it is next shown; single records stay. */
export function forgetLists(queryClient: QueryClient, collection: string): void {
  const all = queryKeys.records(collection)
  void queryClient.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[all.length] !== 'one' })
}

/** Keeps what a record's page knows of it, so that coming back to it shows the latest at once. */
export function keepRecord(queryClient: QueryClient, collection: string, record: RecordBody): void {
  queryClient.setQueryData(recordQuery(collection, record.id).queryKey, record)
}
