import { readsFieldEverywhere } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { WriteResult, Writing } from '#server/records/changes/commit-change.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { continueNumbersAfter, deleteNumbers, lastNumberOf } from '#server/records/values/auto-numbers.ts'
import { getField, detachFieldFiles, storeDefinition } from '#server/schema/collections/change-collection.ts'
import { withField } from '#server/schema/fields/change-field.ts'
import { conversionOf, textOf } from '#server/records/values/convert-value.ts'
import { EXAMPLE_LENGTH } from '#server/schema/fields/convert-values.ts'
import type { KindChange } from './kind-change.ts'
import { deleteChange } from './kind-changes-store.ts'
import { countLost, dropChangeNotes, sampleLost } from './shadow-store.ts'
import { dropFieldColumns, renameFieldColumns } from '#server/schema/collections/tables-store.ts'
import { readFieldValues } from '#server/schema/fields/values-store.ts'

/** Replaces the old values with the converted ones, in one write. Returns the number of lost values. */
export async function finishKindChange(writing: Writing, change: KindChange): Promise<WriteResult<number>> {
  const { transaction } = writing
  const { shadow, next } = change
  const before = collectionOf(writing, change)
  const lost = await countLost(transaction.db, shadow)
  if (lost > 0 && !change.acceptLoss) throw await lossSincePreview(writing, before, change, lost)
  if (next.kind === 'relation' && !writing.definitions.byId.has(next.options.collection))
    throw new Problem('definition-invalid', `The linked collection of ${next.label} no longer exists.`)

  const counted = await lastNumberOf(transaction, shadow.id)
  await dropChangeNotes(transaction, shadow)
  await deleteChange(transaction, change)
  const old = getField(before, change.field)
  await dropFieldColumns(transaction, before.id, old)
  await detachFieldFiles(writing, before, old)
  await renameFieldColumns(transaction, before.id, shadow, next)
  if (counted !== undefined) {
    await continueNumbersAfter(transaction, next.id, counted)
    await deleteNumbers(transaction, [shadow.id])
  }
  const stored = await storeDefinition(writing, before, withField(before, next, change.position ?? undefined))
  return { ...stored, answer: lost }
}

/** The collection of a change; it cannot be deleted meanwhile. */
export function collectionOf({ definitions }: Pick<Writing, 'definitions'>, { collection }: KindChange): Collection {
  const found = definitions.byId.get(collection)
  if (!found) throw new Problem('collection-not-found', 'The collection no longer exists.')
  return found
}

export async function abandonKindChange(transaction: Transaction, change: KindChange): Promise<void> {
  await dropChangeNotes(transaction, change.shadow)
  await deleteChange(transaction, change)
  await dropFieldColumns(transaction, change.collection, change.shadow)
}

/** Values written since the loss was reported do not fit the new kind. */
async function lossSincePreview(
  { transaction, actor }: Writing,
  collection: Collection,
  { field, next, shadow }: KindChange,
  count: number,
): Promise<Problem> {
  const old = getField(collection, field)
  if (!readsFieldEverywhere(actor, collection, field))
    return kindChangeFailed(`In the meantime, values were saved that ${next.label} would lose.`)
  const conversion = await conversionOf(transaction.db, old, shadow)
  const held = await readFieldValues(transaction, collection, old, await sampleLost(transaction.db, shadow, 3))
  const some = held.map(({ value }) => `“${textOf(conversion, value).slice(0, EXAMPLE_LENGTH)}”`).join(', ')
  return kindChangeFailed(
    count === 1
      ? `In the meantime, a value was saved that ${next.label} would lose: ${some}.`
      : `In the meantime, ${count} values were saved that ${next.label} would lose, such as ${some}.`,
  )
}

const kindChangeFailed = (why: string): Problem =>
  new Problem(
    'definition-invalid',
    `${why} The field was not changed. Change the field type again to see which values would be lost.`,
  )
