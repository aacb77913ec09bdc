import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { CollectionRow, Reader } from '#server/database/database.ts'
import { recordsOfRows } from './store.ts'

/** The records of rows that a query answered, with the values of the collection's fields. */
export const recordsOf = (
  db: Reader,
  collection: Collection,
  rows: readonly CollectionRow[],
): Promise<CollectionRecord[]> => recordsOfRows(db, collection, rows)
