import type { Collection } from '#domain/collections/collection.ts'
import { INDEXED_AT_ONCE } from './follow-definition.ts'
import { type Indexing, indexesToKeep } from './index-records.ts'
import { countRows, joinedGap, noteGap, putRows, rowsOfImport, stretchOf } from './store.ts'

/**
 * Takes the records of an import into the full-text indexes, in the write that makes them visible: at once when they are
 * few; else the stretch they lie in is noted, and the search keeper takes it in behind.
 */
export async function indexImport(indexing: Indexing, collection: Collection, importId: string): Promise<void> {
  const { transaction } = indexing
  const rows = rowsOfImport(importId)
  for (const part of indexesToKeep(indexing, collection)) {
    const stretch = await stretchOf(transaction, collection.id, rows)
    if (stretch === null) continue
    const count = await countRows(transaction.db, collection.id, rows, INDEXED_AT_ONCE + 1)
    if (count <= INDEXED_AT_ONCE) await putRows(transaction, part, collection, rows)
    else await noteGap(transaction, part, joinedGap(part.gap, stretch))
  }
}
