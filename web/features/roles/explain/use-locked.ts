import { useQuery } from '@tanstack/react-query'
import { readRecord, type RecordBody } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { lockedFieldNames, describeLockedFields } from '#web/shared/fields/locked-fields.ts'
import type { AccessQuestion } from './access-question.ts'
import { useKnownCollections } from '#web/features/roles/grants/use-grant-labels.ts'

/** What nobody changes in a record, whatever their roles; `isAll` where that is all of what is asked. */
type Locked = { readonly isAll: boolean; readonly text: string }

/** What the state of a record keeps everybody from; undefined where it keeps nobody from what is asked. */
export function useLocked({ permission, collection: id, record, field }: AccessQuestion): Locked | undefined {
  const collection = useKnownCollections().find((known) => known.id === id)
  const isAsked = permission === 'records:update' && record !== null && collection?.workflow !== undefined
  const params = { collection: collection?.name ?? '', record: record?.value ?? '' }
  const { data } = useQuery({
    queryKey: [...queryKeys.record(params.collection, params.record), 'plain'],
    queryFn: ({ signal }) => call(readRecord, { params, signal }),
    enabled: isAsked,
  })
  return isAsked && data ? lockedOf(collection, data, field) : undefined
}

function lockedOf(collection: TypedCollection, { values }: RecordBody, field: string | null): Locked | undefined {
  const state = collection.fields.find(({ id }) => id === collection.workflow?.field)
  if (state === undefined) return undefined
  const frozen = lockedFieldNames(collection, values)
  const asked = collection.fields.filter(({ id }) => id !== state.id && (field === null || id === field))
  const held = asked.filter(({ name }) => frozen.has(name))
  if (held.length === 0) return undefined
  return {
    isAll: held.length === asked.length,
    text: describeLockedFields(collection, frozen, String(values[state.name])),
  }
}
