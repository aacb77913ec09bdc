import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import { readRecord } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'

export const recordByIdQuery = (collection: CollectionBody, record: string) =>
  queryOptions({
    queryKey: ['recent', record],
    queryFn: ({ signal }) => call(readRecord, { params: { collection: collection.name, record }, signal }),
  })

/** `isGone`: the record is deleted or not visible. */
export function useRecordById(collection: CollectionBody, record: string) {
  const { data, error } = useQuery(recordByIdQuery(collection, record))
  return {
    title: data && recordTitle(typedCollection(collection), data),
    isGone: toCallError(error)?.status === 404,
    error,
  }
}
