import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { optionName } from '#domain/fields/select.ts'
import { frozenAmong } from '#domain/workflow/evaluate-transition.ts'
import { assertValid } from '#server/records/values/value-errors.ts'

/**
 * Rejects changes to fields that are locked in the record's status: values that differ, or that the actor can't read.
 */
export function assertNotFrozen(
  collection: Collection,
  record: CollectionRecord,
  changed: RecordValues,
  unread: HiddenFields,
): void {
  if (!collection.workflow) return
  assertValid(
    frozenAmong(collection, record.values, Object.keys(changed)).map(({ name, label }) => ({
      path: name,
      code: 'field-frozen',
      message: `${label} is locked${describeStatus(collection, record, unread)}. Change the status first.`,
    })),
  )
}

function describeStatus(collection: Collection, { values }: CollectionRecord, unread: HiddenFields): string {
  const field = collection.fields.find(({ id }) => id === collection.workflow?.field)
  const name = field && !unread.has(field.id) ? stateIn(field, values) : undefined
  return name === undefined ? ' here' : ` in the status “${name}”`
}

function stateIn(field: Field, values: RecordValues): string | undefined {
  const state = values[field.id]
  return field.kind === 'state' && typeof state === 'string' ? optionName(field, state) : undefined
}
