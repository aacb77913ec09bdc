import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { FieldValue } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'

/**
 * The values that differ from the record's current ones. Unreadable fields are always included, because reporting them
 * as unchanged would reveal their value.
 */
export function changedValues(
  collection: Collection,
  before: CollectionRecord,
  given: RecordValues,
  unread: HiddenFields,
): RecordValues {
  const changed: { [field: string]: FieldValue } = {}
  for (const [id, value] of Object.entries(given)) {
    const field = fieldById(collection, id)
    const was = before.values[id] ?? (field ? emptyValue(field) : null)
    if (unread.has(id) || !sameJson(json(was), json(value))) changed[id] = value
  }
  return changed
}

/** Changed fields that the writer can't read; their rules are always checked. */
export const unreadableAmong = (changed: RecordValues, unread: HiddenFields | undefined): readonly FieldId[] =>
  unread === undefined ? [] : Object.keys(changed).filter((field) => unread.has(field))

/** Values are plain JSON, although the type doesn't say so for documents. */
const json = (values: unknown): Json => values as Json
