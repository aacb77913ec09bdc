import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { CollectionRow } from '#server/platform/database/database.ts'
import { rowReader } from './row-mapping.ts'

/** The records of rows that a query answered, with the values of the collection's fields. */
export const recordsOfRows = (collection: Collection, rows: readonly CollectionRow[]): CollectionRecord[] =>
  rows.map(rowReader(collection))
