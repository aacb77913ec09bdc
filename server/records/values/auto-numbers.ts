import type { FieldId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { deleteLast, raiseLast, readLast, writeLast } from './auto-numbers-store.ts'

/**
 * Takes the next numbers of a field for as many records, and answers the first. They are given back when the write is
 * undone, so a record that was refused leaves no gap; on PostgreSQL the next write that counts waits for this one.
 */
export const allocateNumbers = async (transaction: Transaction, field: FieldId, count: number): Promise<number> =>
  (await raiseLast(transaction, field, count)) - count + 1

/** How far a field has counted; undefined where it has not begun. */
export const lastNumberOf = (transaction: Transaction, field: FieldId): Promise<number | undefined> =>
  readLast(transaction, field)

/** Lets a field count on behind this number. */
export const continueNumbersAfter = (transaction: Transaction, field: FieldId, last: number): Promise<void> =>
  writeLast(transaction, field, last)

/** Forgets how far fields that are gone had counted. */
export async function deleteNumbers(transaction: Transaction, fields: readonly FieldId[]): Promise<void> {
  if (fields.length > 0) await deleteLast(transaction, fields)
}
