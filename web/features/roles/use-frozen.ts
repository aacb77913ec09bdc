import { useQuery } from '@tanstack/react-query'
import { readRecord } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { frozenNames, frozenText } from '#web/fields/state/frozen-names.ts'
import type { Asked } from './asked.ts'
import { useKnownCollections } from './use-words.ts'

/** What nobody changes in the record that is asked about, whatever their roles; `isAll` where that is all of what is asked. */
export type Frozen = { readonly isAll: boolean; readonly text: string }

/** What the state of a record keeps everybody from; undefined where it keeps nobody from what is asked. */
export function useFrozen({ permission, collection: id, record, field }: Asked): Frozen | undefined {
  const collection = useKnownCollections().find((known) => known.id === id)
  const state = collection?.fields.find((known) => known.id === collection.workflow?.field)
  const params = { collection: collection?.name ?? '', record: record?.value ?? '' }
  const { data } = useQuery({
    queryKey: [...queryKeys.record(params.collection, params.record), 'plain'],
    queryFn: ({ signal }) => call(readRecord, { params, signal }),
    enabled: permission === 'records:update' && state !== undefined && record !== null,
  })
  if (permission !== 'records:update' || !collection || !state || !data) return undefined
  const frozen = frozenNames(collection, data.values)
  const asked = collection.fields.filter((known) => known.id !== state.id && (field === null || known.id === field))
  const held = asked.filter(({ name }) => frozen.has(name))
  if (held.length === 0) return undefined
  return { isAll: held.length === asked.length, text: frozenText(collection, frozen, String(data.values[state.name])) }
}
