import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { nameOfChoice } from '#domain/fields/select.ts'
import { frozenAmong } from '#domain/workflow/frozen-fields.ts'
import { refuseInvalid } from '#server/records/values-problem.ts'

/** Refuses to change what is frozen where a record is: values that differ, or that are not read. */
export function refuseFrozen(
  collection: Collection,
  record: CollectionRecord,
  changed: RecordValues,
  unread: HiddenFields,
): void {
  if (!collection.workflow) return
  refuseInvalid(
    frozenAmong(collection, record.values, Object.keys(changed)).map(({ name, label }) => ({
      path: name,
      code: 'field-frozen',
      message: `${label} is frozen${whereItIs(collection, record, unread)}. Move the record first.`,
    })),
  )
}

function whereItIs(collection: Collection, { values }: CollectionRecord, unread: HiddenFields): string {
  const field = collection.fields.find(({ id }) => id === collection.workflow?.field)
  const name = field && !unread.has(field.id) ? stateIn(field, values) : undefined
  return name === undefined ? ' here' : ` while the record is “${name}”`
}

function stateIn(field: Field, values: RecordValues): string | undefined {
  const state = values[field.id]
  return field.kind === 'state' && typeof state === 'string' ? nameOfChoice(field, state) : undefined
}
