import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { isEditable } from '#web/shared/fields/editable-cells.ts'

/** The fields of a record that take files from whoever reads it, in their order. */
export function fileFieldsOf(
  collection: TypedCollection,
  record: Pick<RecordListItem, 'values'> & RecordListItem,
): readonly Field<'files'>[] {
  return collection.fields.filter(
    (field): field is Field<'files'> => field.kind === 'files' && isEditable(collection, field, record),
  )
}
