import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { recordsOfRows } from '#server/records/values/records-of-rows.ts'
import { lockRow, lockRows } from './store.ts'

/** The records of these ids as they stand now, held still until the write ends. Those that do not exist are not there. */
export async function lockRecords(
  writing: Pick<Writing, 'transaction'>,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<CollectionRecord[]> {
  return recordsOfRows(collection, await lockRows(writing.transaction, collection, ids))
}

/** The record of that id as it stands now, or the problem that there is none. */
export async function lockRecord(writing: Writing, collection: Collection, id: RecordId): Promise<CollectionRecord> {
  const [record] = recordsOfRows(collection, await lockRow(writing.transaction, collection, id))
  if (!record) throw recordNotFound(collection, id)
  return record
}

/** What is told of a record that does not exist, or is out of sight. */
export const recordNotFound = ({ label }: Collection, id: RecordId): Problem =>
  new Problem('record-not-found', `There is no record ${id} in ${label}.`)
