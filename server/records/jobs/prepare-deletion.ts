import type { Collection } from '#domain/collections/collection.ts'
import { dropListIndexes } from '#server/query/indexes/build-index.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import { discardFullTextIndexes } from '#server/query/search/index/index-records.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'

/** Number of deleted records from which creating the indexes again afterwards takes less time than updating them. */
const MANY_DELETED = 50_000

/**
 * Stops maintaining the indexes of a large collection before most of its records are deleted, which would take several
 * times as long. PostgreSQL removes index entries later, in the background.
 */
export async function prepareDeletion(
  { database, definitions, clock }: Pick<RecordDeps, 'database' | 'definitions' | 'clock'>,
  collection: Collection,
  deleted: number,
): Promise<void> {
  const isWorthIt = database.dialect === 'sqlite' && deleted >= MANY_DELETED
  if (!isWorthIt || (await hasMoreRows(database.read, collection.id, 2 * deleted))) return
  await dropListIndexes(database, collection)
  const discarded = { collection: collection.id, at: clock().toISOString() }
  await database.write((transaction) => discardFullTextIndexes(transaction, definitions, discarded))
}
