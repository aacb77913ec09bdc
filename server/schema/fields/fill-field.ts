import type { Field } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { continueNumbersAfter } from '#server/records/values/auto-numbers.ts'
import { fillEmpty, highestNumber, fillMissingNumbers } from './values-store.ts'

/**
 * Gives the records that are there what no record is without: a state, and a number in the order of their making. Those
 * that have one already keep it, so a field that becomes one of these counts on behind its highest number.
 */
export async function fillNewField(transaction: Transaction, collection: CollectionId, field: Field): Promise<void> {
  const start = startingValue(field)
  if (field.kind === 'state' && typeof start === 'string') await fillEmpty(transaction, collection, field.id, start)
  if (field.kind !== 'auto-number') return

  await fillMissingNumbers(transaction, collection, field.id, await highestNumber(transaction, collection, field.id))
  await continueNumbersAfter(transaction, field.id, await highestNumber(transaction, collection, field.id))
}
