import { useQuery } from '@tanstack/react-query'
import { readRecord, type RecordBody } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { frozenNames, frozenText } from '#web/fields/state/frozen-names.ts'
import type { Asked } from './asked.ts'
import { useKnownCollections } from './use-words.ts'

/** What nobody changes in a record, whatever their roles; `isAll` where that is all of what is asked. */
type Frozen = { readonly isAll: boolean; readonly text: string }

/** What the state of a record keeps everybody from; undefined where it keeps nobody from what is asked. */
export function useFrozen({ permission, collection: id, record, field }: Asked): Frozen | undefined {
  const collection = useKnownCollections().find((known) => known.id === id)
  const isAsked = permission === 'records:update' && record !== null && collection?.workflow !== undefined
  const params = { collection: collection?.name ?? '', record: record?.value ?? '' }
  const { data } = useQuery({
    queryKey: [...queryKeys.record(params.collection, params.record), 'plain'],
    queryFn: ({ signal }) => call(readRecord, { params, signal }),
    enabled: isAsked,
  })
  return isAsked && data ? frozenOf(collection, data, field) : undefined
}

function frozenOf(collection: KnownCollection, { values }: RecordBody, field: string | null): Frozen | undefined {
  const state = collection.fields.find(({ id }) => id === collection.workflow?.field)
  if (state === undefined) return undefined
  const frozen = frozenNames(collection, values)
  const asked = collection.fields.filter(({ id }) => id !== state.id && (field === null || id === field))
  const held = asked.filter(({ name }) => frozen.has(name))
  if (held.length === 0) return undefined
  return { isAll: held.length === asked.length, text: frozenText(collection, frozen, String(values[state.name])) }
}
