import { decide, unreadableFields } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions, holdsList, isEntered } from '#domain/fields/field.ts'
import { emptyValue, startingValue } from '#domain/fields/kinds.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { SkippedByReason } from '#domain/shared/problem.ts'
import { fileIdsOf, takesFiles } from '#domain/fields/files.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { type Conversion, conversionOf, convert } from '#server/records/values/convert-value.ts'
import { findAssets } from '#server/records/values/assets-store.ts'
import { allocateNumbers } from '#server/records/values/auto-numbers.ts'
import { existingRecords } from '#server/records/crud/store.ts'

export type DeletedRecord = Pick<CollectionRecord, 'id' | 'values'>

export type RestoredValues = {
  readonly values: ReadonlyMap<RecordId, RecordValues>
  readonly lost: readonly SkippedByReason[]
}

/**
 * Maps the values of restored records to the current fields; `then` is the definition when they were deleted, if it has
 * changed since. Removed options, links to missing records, and files in use elsewhere are left empty.
 */
export async function restoredValues(
  writing: Writing,
  collection: Collection,
  deleted: readonly DeletedRecord[],
  then: Collection | undefined,
): Promise<RestoredValues> {
  const values = new Map<RecordId, { [field: string]: FieldValue }>(deleted.map(({ id }) => [id, {}]))
  const lost: SkippedByReason[] = []
  for (const field of collection.fields.filter(isEntered)) {
    const old = then?.fields.find(({ id }) => id === field.id) ?? field
    const restore = await restorerOf(writing, collection, { field, old, deleted })
    const losing: RecordId[] = []
    for (const record of deleted) {
      const before = record.values[field.id]
      const restored = before === undefined ? unchanged(startingValue(field)) : restore(before, record.id)
      if (restored.isLost) losing.push(record.id)
      const own = values.get(record.id)
      if (own) own[field.id] = field.kind === 'auto-number' ? await numbered(writing, field, restored) : restored.value
    }
    if (losing.length > 0 && readsAll(writing, collection, field)) {
      lost.push({ message: `${field.label} couldn’t be fully restored.`, records: losing })
    }
  }
  return { values, lost }
}

type Restored = { readonly value: FieldValue; readonly isLost: boolean }

const unchanged = (value: FieldValue): Restored => ({ value, isLost: false })

type Restorer = (before: FieldValue, record: RecordId) => Restored

type Restoring = { readonly field: Field; readonly old: Field; readonly deleted: readonly DeletedRecord[] }

async function restorerOf(writing: Writing, collection: Collection, restoring: Restoring): Promise<Restorer> {
  const { field, old } = restoring
  const conversion = isSameKind(old, field) ? undefined : await conversionOf(writing.transaction.db, old, field)
  const isThere = await createExistenceCheck(writing, collection, restoring)
  return (before, record) => {
    const value = conversion ? convertedTo(field, conversion, before) : before
    const kept = holdsList(field)
      ? listOf(value).filter((one) => isThere(one, record))
      : existingPart(field, value, (one) => isThere(one, record))
    const lostSome = Array.isArray(kept) && kept.length < listOf(before).length
    return { value: kept, isLost: lostSome || (isEmpty(kept) && !isEmpty(before)) }
  }
}

/** A status is never empty, so it falls back to the initial one. */
function existingPart(field: Field, value: FieldValue, isThere: (one: string) => boolean): FieldValue {
  if (typeof value !== 'string' || isThere(value)) return value
  return field.kind === 'state' ? startingValue(field) : emptyValue(field)
}

const convertedTo = (field: Field, conversion: Conversion, before: FieldValue): FieldValue =>
  isEmpty(before) ? emptyValue(field) : (convert(conversion, before) ?? emptyValue(field))

const isSameKind = (old: Field, field: Field): boolean =>
  old.kind === field.kind && holdsList(old) === holdsList(field) && targetOf(old) === targetOf(field)

const targetOf = (field: Field): string | undefined =>
  field.kind === 'relation' ? field.options.collection : undefined

const isEmpty = (value: FieldValue): boolean => value === null || (Array.isArray(value) && value.length === 0)

const listOf = (value: FieldValue): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

async function createExistenceCheck(
  { transaction }: Writing,
  collection: Collection,
  { field, deleted }: Restoring,
): Promise<(one: string, record: RecordId) => boolean> {
  if (hasSelectOptions(field)) {
    const choices = new Set(field.options.choices.map(({ id }) => id))
    return (one) => choices.has(one)
  }
  const named = deleted.flatMap(({ values }) => idsIn(values[field.id]))
  if (field.kind === 'relation') {
    const existing = await existingRecords(transaction, field.options.collection, [...new Set(named)])
    const together = field.options.collection === collection.id ? deleted.map(({ id }) => id) : []
    const all = new Set([...existing, ...together])
    return (one) => all.has(one)
  }
  if (field.kind !== 'files') return () => true
  const assets = new Map((await findAssets(transaction.db, [...new Set(named)])).map((asset) => [asset.id, asset]))
  return (one, record) => {
    const asset = assets.get(one)
    if (asset?.field_id !== field.id) return false
    return asset.record_id === record || (asset.record_id === null && asset.taken_out_of === record)
  }
}

const idsIn = (value: FieldValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : listOf(value ?? null)

/**
 * An auto number is restored; if the field has become an auto number since the deletion, the next number is assigned.
 */
const numbered = async ({ transaction }: Writing, { id }: Field, { value }: Restored): Promise<FieldValue> =>
  typeof value === 'number' ? value : allocateNumbers(transaction, id, 1)

/** Whether the actor can read a field and, for a relation, every record of its target collection. */
function readsAll({ actor, definitions }: Writing, collection: Collection, field: Field): boolean {
  if (unreadableFields(actor, collection).has(field.id)) return false
  if (field.kind !== 'relation') return true
  const reading = decide(actor, 'records:read', definitions.byId.get(field.options.collection))
  return reading.allowed && reading.where === undefined
}

export async function filesToAttach(
  { transaction }: Writing,
  { fields }: Collection,
  { id, values }: DeletedRecord,
): Promise<readonly string[]> {
  const ids = fields.filter(takesFiles).flatMap((field) => fileIdsOf(values[field.id] ?? null))
  if (ids.length === 0) return []
  const assets = await findAssets(transaction.db, ids)
  return assets.flatMap((asset) => (asset.record_id === null && asset.taken_out_of === id ? asset.id : []))
}
