import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/database/database.ts'
import type { SearchPart, SearchParts } from '#server/query/search-part.ts'
import { inParts } from '#server/records/in-parts.ts'
import { putAtCommit, removeRows, rowsOfIds } from './store.ts'

/** What keeping the full-text indexes needs of the write it is part of. */
export type Indexing = {
  readonly transaction: Transaction
  readonly definitions: { readonly searchParts: SearchParts }
}

/** The indexes that a write has to keep: PostgreSQL keeps its own. */
export const indexesToKeep = ({ transaction, definitions }: Indexing, { id }: Collection): readonly SearchPart[] =>
  transaction.dialect === 'sqlite' ? (definitions.searchParts.get(id) ?? []) : []

/**
 * Takes records into the full-text indexes, in the same commit; to be called after every insertion, and after every
 * change of texts. `changed` names the fields that changed; without it all did.
 */
export function indexRecords(
  indexing: Indexing,
  collection: Collection,
  ids: readonly RecordId[],
  changed?: ReadonlySet<FieldId>,
): void {
  for (const part of indexesToKeep(indexing, collection)) {
    if (changed && !part.fields.some((id) => changed.has(id))) continue
    putAtCommit(indexing.transaction, part, collection, ids)
  }
}

/** Takes records out of the full-text indexes; to be called while they are still in their table. */
export async function unindexRecords(
  indexing: Indexing,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<void> {
  for (const part of indexesToKeep(indexing, collection)) {
    for (const some of inParts(ids)) await removeRows(indexing.transaction, part, rowsOfIds(some))
  }
}
