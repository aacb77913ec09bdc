import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createRecord, readRecord, type RecordBody, updateRecord } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import type { Field } from '#domain/fields/field.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { connectionState } from '#web/data/connection/connection-state.ts'
import { findUnsent, hasUnsent, loadUnsent, unsentState } from '#web/data/unsent/unsent-state.ts'
import { createEmitter } from '#web/ui/store.ts'
import { queryKeys } from './query-client.ts'

/** Refetch interval in ms, shorter than the validity of signed image URLs. */
export const SIGNED_URL_REFRESH_MS = 30 * 60 * 1000

/** `at`: the time as of which the record is shown. */
export const recordQuery = (collection: string, record: string, at?: string) =>
  queryOptions({
    queryKey: [...queryKeys.record(collection, record), ...(at === undefined ? [] : [at])],
    queryFn: async ({ signal }): Promise<RecordBody> => {
      if (at !== undefined)
        return call(readRecord, { params: { collection, record }, query: { expand: '*', at }, signal })
      const unsent = hasUnsent() ? await (await loadUnsent()).find(record) : undefined
      return unsent?.body ?? call(readRecord, { params: { collection, record }, query: { expand: '*' }, signal })
    },
    // A background refetch must not overwrite what the user is typing.
    refetchOnWindowFocus: false,
    refetchInterval: SIGNED_URL_REFRESH_MS,
  })

type Values = { readonly [field: string]: unknown }

const newId = createIdGenerator(Date.now, (count) => crypto.getRandomValues(new Uint8Array(count)))

/** Creates a record. If `fields` is given, the record can be created offline and synced later. */
export function useCreateRecord(collection: string, fields?: readonly Field[]) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (values: Values): Promise<RecordBody> => {
      const id = newId()
      const request = { params: { collection }, body: { values: { ...values } }, idempotencyKey: id }
      const send = () => call(createRecord, request)
      if (!fields) return send()
      const keep = async (isTried: boolean) => (await loadUnsent()).add({ id, collection, fields, values, isTried })
      if (!connectionState.reachable.get()) return keep(false)
      return send().then(undefined, (error: unknown) => {
        if (toCallError(error)?.code === 'unreachable') return keep(true)
        throw error
      })
    },
    onSuccess: (record) => {
      cacheRecord(queryClient, collection, record)
      invalidateLists(queryClient, collection)
    },
  })
}

export async function saveRecord(
  collection: string,
  { id, version }: Pick<RecordBody, 'id' | 'version'>,
  values: Values,
): Promise<RecordBody> {
  const kept = findUnsent(id) && (await (await loadUnsent()).merge(id, values))
  if (kept) return kept
  const sentAs = unsentState.get().sentAs.get(id)
  const body = { values: { ...values }, ...(sentAs === undefined && { version }) }
  return call(updateRecord, { params: { collection, record: sentAs ?? id }, body })
}

/** Invalidates all lists, groups and counts of a collection, but not its individual records. */
export function invalidateLists(queryClient: QueryClient, collection: string): void {
  const all = queryKeys.records(collection)
  void queryClient.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[all.length] !== 'one' })
}

/** Caches the record, so that its latest version is shown immediately when it is opened again. */
export function cacheRecord(queryClient: QueryClient, collection: string, record: RecordBody): void {
  queryClient.setQueryData(recordQuery(collection, record.id).queryKey, (before) =>
    before?.people && !record.people ? { ...record, people: before.people } : record,
  )
}

export const deletedRecords = createEmitter<ReadonlySet<string>>()
