import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import { takesFiles } from '#domain/fields/files.ts'
import { emptyValue, isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { detachFilesOfMissing, moveFiles } from '#server/query/definitions/store.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { writtenSince } from '#server/records/changes/deletion-log.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import { conversionOf, convert } from '#server/records/values/convert-value.ts'
import { setColumnsAside } from '#server/schema/collections/tables-store.ts'
import {
  deletedFieldsOf,
  deletionBy,
  insertDeleted,
  isDeletedField,
  listDeleted,
} from '#server/schema/deleted-definitions/deleted-definitions.ts'
import { discardField } from '#server/schema/deleted-definitions/discard-field.ts'
import { clearMissingLinks, readFieldValues } from './values-store.ts'

/** The values of a field from before its type was changed. */
export type FormerValues = {
  /** The field as it was, with the ID of the columns that keep its values. */
  readonly kept: Field
  /** The field as it became. */
  readonly became: Field
  /** The change set that changed its type. */
  readonly changeSet: string
}

/** Sets of former values kept for a collection, because a table can have only so many columns. */
const MAX_KEPT = 30

type Keeping = {
  readonly old: Field
  readonly changeSet: string
  /** Former values that are in use until the change is complete. */
  readonly former?: FormerValues | undefined
}

/** Keeps the values of a field whose type is changed, as long as deleted fields, so that the change can be undone. */
export async function keepFormerValues(
  writing: Writing,
  collection: Collection,
  { old, changeSet, former }: Keeping,
): Promise<void> {
  const { transaction } = writing
  const kept = { ...old, id: writing.newId() }
  await setColumnsAside(transaction, collection.id, old, kept)
  if (takesFiles(old)) await moveFiles(transaction, { collection: collection.id, from: old.id, to: kept.id })
  await insertFormer(writing, collection, { of: old, kept, changeSet, inUse: former?.kept.id })
}

type Kept = {
  readonly of: Field
  readonly kept: Field
  readonly changeSet: string
  readonly inUse?: FieldId | undefined
}

/** Adds columns with former values to the trash, and discards the oldest ones if there are too many. */
export async function insertFormer(
  writing: Writing,
  collection: Collection,
  { of, kept, changeSet, inUse }: Kept,
): Promise<void> {
  const { db } = writing.transaction
  await insertDeleted(writing.transaction, {
    ...deletionBy(writing, collection),
    id: kept.id,
    definition: {
      field: kept,
      formerOf: { field: of.id, changeSet },
      position: collection.fields.indexOf(of),
      isTitle: collection.titleField === of.id,
    },
  })
  const others = (await deletedFieldsOf(db, collection.id)).filter(({ formerOf }) => formerOf)
  const older = others
    .map(({ field }) => field)
    .filter(({ id }) => id !== kept.id && id !== inUse)
    .slice(MAX_KEPT - 1)
  for (const field of older) await discardField(writing, collection.id, field)
}

type FormerPlace = {
  readonly collection: CollectionId
  readonly field: FieldId
  readonly changeSet: string
  readonly at: string
}

/** The columns with the values from before a change set; undefined if they are no longer kept. */
export async function findFormerValues(
  db: Reader,
  { collection, field, changeSet, at }: FormerPlace,
): Promise<Field | undefined> {
  const since = await trashCutoff(db, new Date(at))
  const kept = (await listDeleted(db)).find(
    ({ collection: own, definition, deletedAt }) =>
      own === collection &&
      deletedAt >= since &&
      isDeletedField(definition) &&
      definition.formerOf?.field === field &&
      definition.formerOf.changeSet === changeSet,
  )
  return kept && isDeletedField(kept.definition) ? kept.definition.field : undefined
}

/**
 * Removes values that are in use again. Their files belong to the field again, and links to records deleted since are
 * removed.
 */
export async function discardRestored(
  writing: Writing,
  { id: collection }: Pick<Collection, 'id'>,
  { kept }: FormerValues,
  next: Field,
): Promise<void> {
  const { transaction, at } = writing
  if (takesFiles(kept)) {
    await moveFiles(transaction, { collection, from: kept.id, to: next.id })
    await detachFilesOfMissing(transaction, { collection, field: next.id }, at)
  }
  if (next.kind === 'relation') await clearMissingLinks(transaction, collection, next)
  await discardField(writing, collection, kept)
}

export type ConvertedValue = {
  readonly id: RecordId
  /** null if empty, undefined if it can't be converted. */
  readonly value: FieldValue | undefined
  /** Whether the record gets the value from before the change that is undone. */
  readonly isFormer: boolean
}

/** How the values of a field are determined when its type changes. */
export type ValueConversion = {
  readonly old: Field
  readonly target: Field
  readonly former?: FormerValues | undefined
}

/** The values of records for another field type. Missing and locked records are left out. */
export async function convertedValues(
  transaction: Pick<Transaction, 'db' | 'dialect'>,
  collection: Collection,
  { old, target, former }: ValueConversion,
  ids: readonly RecordId[],
): Promise<ConvertedValue[]> {
  const held = await readFieldValues(transaction, collection, old, ids)
  const conversion = await conversionOf(transaction.db, old, target)
  const formerOf = former ? await formerReader(transaction, collection, { old, former }, held) : () => undefined
  return held.map(({ id, value }) => {
    const before = formerOf(id)
    if (before !== undefined) return { id, value: before, isFormer: true }
    return { id, value: isEmptyValue(value) ? null : convert(conversion, value), isFormer: false }
  })
}

type Held = { readonly id: RecordId; readonly value: FieldValue }

/**
 * The former value of each record that still has the value that the change of the type gave it; undefined if it was
 * edited since, or if the record was created since.
 */
async function formerReader(
  transaction: Pick<Transaction, 'db' | 'dialect'>,
  collection: Collection,
  { old, former: { kept, became, changeSet } }: { readonly old: Field; readonly former: FormerValues },
  held: readonly Held[],
): Promise<(id: RecordId) => FieldValue | undefined> {
  const existed = held.filter(({ id }) => id < changeSet)
  const ids = existed.map(({ id }) => id)
  const values = new Map(
    (await readFieldValues(transaction, collection, kept, ids)).map(({ id, value }) => [id, value]),
  )
  const conversion = await conversionOf(transaction.db, kept, became)
  const start = became.kind === 'state' ? startingValue(became) : emptyValue(became)
  const given = (value: FieldValue): FieldValue =>
    (isEmptyValue(value) ? undefined : convert(conversion, value)) ?? start
  const isAsGiven = ({ id, value }: Held): boolean =>
    became.kind === 'auto-number' || sameJson(jsonOf(value), jsonOf(given(values.get(id) ?? null)))
  // What a value is converted to can depend on options and names that were changed since; only the log tells then.
  const differing = existed.filter((one) => !isAsGiven(one) && !isEmptyValue(values.get(one.id) ?? null))
  const edited = await writtenSince(
    transaction.db,
    differing.map(({ id }) => id),
    { field: old.id, changeSet },
  )
  const isOpen = new Set(differing.flatMap(({ id }) => (edited.has(id) ? [] : id)))
  const unedited = existed.filter((one) => isAsGiven(one) || isOpen.has(one.id))
  const former = new Map(unedited.map(({ id }) => [id, values.get(id) ?? null]))
  return (id) => former.get(id)
}

/** Empty lists and missing values are the same. */
const jsonOf = (value: FieldValue): Json => (isEmptyValue(value) ? null : value)
