import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { nameOfChoice } from '#domain/fields/select.ts'
import { frozenAmong } from '#domain/workflow/frozen-fields.ts'
import { differing } from '#server/records/write-records.ts'
import { refuseInvalid } from '#server/records/values-problem.ts'

/** Refuses to change what is frozen where a record is; giving a frozen field the value it has changes nothing. */
export function refuseFrozen(
  collection: Collection,
  record: CollectionRecord,
  given: RecordValues,
  hidden: HiddenFields,
): void {
  if (!collection.workflow) return
  const changed = Object.keys(differing(collection, record, given))
  refuseInvalid(
    frozenAmong(collection, record.values, changed).map((field) =>
      hidden.has(field.id)
        ? { path: '', code: 'field-frozen', message: 'Something in it is frozen where the record is.' }
        : { path: field.name, code: 'field-frozen', message: frozenSentence(collection, record, field) },
    ),
  )
}

const frozenSentence = (collection: Collection, record: CollectionRecord, { label }: Field): string =>
  `${label} is frozen${stateName(collection, record)}. Move the record first.`

function stateName(collection: Collection, { values }: CollectionRecord): string {
  const field = collection.fields.find(({ id }) => id === collection.workflow?.field)
  const state = field && values[field.id]
  const name = field?.kind === 'state' && typeof state === 'string' ? nameOfChoice(field, state) : undefined
  return name === undefined ? ' here' : ` while the record is “${name}”`
}
