import { fieldsOfIndex } from '#domain/query/list/index-selection.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { deleteIndex, dropInside, loadIndexes } from './store.ts'

/** Drops the indexes that contain a field whose column is about to be deleted. */
export async function dropFieldIndexes(
  transaction: Transaction,
  collection: CollectionId,
  field: FieldId,
): Promise<void> {
  for (const { id, spec } of await loadIndexes(transaction.db, collection)) {
    if (!fieldsOfIndex(spec).includes(field)) continue
    await dropInside(transaction, id)
    await deleteIndex(transaction, id)
  }
}
