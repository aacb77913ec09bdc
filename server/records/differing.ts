import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { FieldValue } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'

/** What of given values a record does not hold already. */
export function differing(collection: Collection, before: CollectionRecord, given: RecordValues): RecordValues {
  const changed: { [field: string]: FieldValue } = {}
  for (const [id, value] of Object.entries(given)) {
    const field = fieldById(collection, id)
    const was = before.values[id] ?? (field ? emptyValue(field) : null)
    if (!sameJson(json(was), json(value))) changed[id] = value
  }
  return changed
}

/** Values are plain data; the type only forgets that documents are too. */
const json = (values: unknown): Json => values as Json
