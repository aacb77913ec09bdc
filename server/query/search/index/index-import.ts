import type { Collection } from '#domain/collections/collection.ts'
import { MAX_SYNC_ROWS } from './sync-definition.ts'
import { type IndexContext, indexesToUpdate } from './index-records.ts'
import { countRows, joinedGap, saveGap, indexRows, rowsOfImport, rowRange } from './full-text-store.ts'

/**
 * Takes the records of an import into the full-text indexes, in the write that makes them visible: at once when they are
 * few; else the stretch they lie in is noted, and the search keeper takes it in behind.
 */
export async function indexImport(indexing: IndexContext, collection: Collection, importId: string): Promise<void> {
  const { transaction } = indexing
  const rows = rowsOfImport(importId)
  for (const part of indexesToUpdate(indexing, collection)) {
    const stretch = await rowRange(transaction, collection.id, rows)
    if (stretch === null) continue
    const count = await countRows(transaction.db, collection.id, rows, MAX_SYNC_ROWS + 1)
    if (count <= MAX_SYNC_ROWS) await indexRows(transaction, part, collection, rows)
    else await saveGap(transaction, part, joinedGap(part.gap, stretch))
  }
}
