import type { FieldId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { deleteLast, raiseLast, readLast, writeLast } from './auto-numbers-store.ts'

/**
 * Takes the next numbers of a field, and returns the first. A rollback returns them, so a rejected record leaves no
 * gap; on PostgreSQL the next counting write waits for this one.
 */
export const allocateNumbers = async (transaction: Transaction, field: FieldId, count: number): Promise<number> =>
  (await raiseLast(transaction, field, count)) - count + 1

export const lastNumberOf = (transaction: Transaction, field: FieldId): Promise<number | undefined> =>
  readLast(transaction, field)

export const continueNumbersAfter = (transaction: Transaction, field: FieldId, last: number): Promise<void> =>
  writeLast(transaction, field, last)

export async function deleteNumbers(transaction: Transaction, fields: readonly FieldId[]): Promise<void> {
  if (fields.length > 0) await deleteLast(transaction, fields)
}
