import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/database/database.ts'
import type { SearchParts } from '#server/query/search-part.ts'
import { inParts } from '#server/records/in-parts.ts'
import { putRows, removeRows, rowsOfIds } from './store.ts'

/** What keeping the full-text indexes needs of the write it is part of. */
export type Indexing = {
  readonly transaction: Transaction
  readonly definitions: { readonly searchParts: SearchParts }
}

/**
 * Takes records into the full-text indexes as they stand in their table now, in the same write; to be called after every
 * insertion, and after every change of texts. `changed` names the fields that changed; without it all did.
 */
export async function indexRecords(
  { transaction, definitions }: Indexing,
  collection: Collection,
  ids: readonly RecordId[],
  changed?: ReadonlySet<FieldId>,
): Promise<void> {
  for (const part of definitions.searchParts.get(collection.id) ?? []) {
    if (changed && !part.fields.some((id) => changed.has(id))) continue
    for (const some of inParts(ids)) await putRows(transaction, part, collection, rowsOfIds(some))
  }
}

/** Takes records out of the full-text indexes; to be called while they are still in their table. */
export async function unindexRecords(
  { transaction, definitions }: Indexing,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<void> {
  for (const part of definitions.searchParts.get(collection.id) ?? []) {
    for (const some of inParts(ids)) await removeRows(transaction, part, rowsOfIds(some))
  }
}
