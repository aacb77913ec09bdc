import { useQuery } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import { readRecord } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { knownCollection } from './known-field.ts'
import { recordTitle } from './record-title.ts'

/** What a record that is known by its id alone is called now; `isGone` where it is not there for whoever asks. */
export function useNamedRecord(collection: CollectionBody, record: string) {
  const params = { collection: collection.name, record }
  const { data, error } = useQuery({
    queryKey: ['recent', record],
    queryFn: ({ signal }) => call(readRecord, { params, signal }),
  })
  return {
    title: data && recordTitle(knownCollection(collection), data),
    isGone: asCallFailed(error)?.status === 404,
    error,
  }
}
