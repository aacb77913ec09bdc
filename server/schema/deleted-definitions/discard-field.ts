import type { Field } from '#domain/fields/field.ts'
import { takesFiles } from '#domain/fields/files.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { detachFiles } from '#server/query/definitions/store.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { dropFieldColumns } from '#server/schema/collections/tables-store.ts'
import { formerFieldsOf, removeDeleted } from './deleted-definitions.ts'

/** How long files of a deleted field or collection can still be restored, in ms. */
const DETACHED_FILE_LIFETIME_MS = 24 * 60 * 60 * 1000

export const detachedUntil = (writing: Writing): string =>
  new Date(Date.parse(writing.at) + DETACHED_FILE_LIFETIME_MS).toISOString()

/** Keeps the files of a deleted field for a day, so that they can be restored. */
export async function detachFieldFiles(writing: Writing, collection: CollectionId, field: Field): Promise<void> {
  if (takesFiles(field)) await detachFiles(writing.transaction, { collection, field: field.id }, detachedUntil(writing))
}

/** Deletes the values and files of a field in the trash; its indexes were dropped when it was deleted. */
export async function discardField(writing: Writing, collection: CollectionId, field: Field): Promise<void> {
  await detachFieldFiles(writing, collection, field)
  await dropFieldColumns(writing.transaction, collection, { ...field, unique: false })
  await removeDeleted(writing.transaction, field.id)
}

/** Deletes the values that a field had before changes, so that these can no longer be undone. */
export async function discardFormerValues(writing: Writing, collection: CollectionId, field: FieldId): Promise<void> {
  for (const { field: kept } of await formerFieldsOf(writing.transaction.db, collection, field))
    await discardField(writing, collection, kept)
}
