import type { Field } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { continueNumbersAfter } from '#server/records/values/auto-numbers.ts'
import { fillEmpty, highestNumber, fillMissingNumbers } from './values-store.ts'

/**
 * Fills fields that are never empty: statuses, and auto-numbers in creation order. Existing values stay, so counting
 * continues after the highest number.
 */
export async function fillNewField(transaction: Transaction, collection: CollectionId, field: Field): Promise<void> {
  const start = startingValue(field)
  if (field.kind === 'state' && typeof start === 'string') await fillEmpty(transaction, collection, field.id, start)
  if (field.kind !== 'auto-number') return

  await fillMissingNumbers(transaction, collection, field.id, await highestNumber(transaction, collection, field.id))
  await continueNumbersAfter(transaction, field.id, await highestNumber(transaction, collection, field.id))
}
