import { userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { indexRecords } from '#server/query/search/index/index-records.ts'
import { updateFiles } from '#server/records/values/attach-files.ts'
import { allocateNumbers } from '#server/records/values/auto-numbers.ts'
import { checkReferences } from '#server/records/values/check-references.ts'
import { insertRecord, insertRecords, type NewRow } from '#server/records/crud/store.ts'
import { assertValid } from '#server/records/values/value-errors.ts'

export type NewRecord = { readonly record: CollectionRecord; readonly change: Change }

export async function writeNewRecord(
  writing: Writing,
  collection: Collection,
  given: RecordValues,
  named?: readonly Field[],
): Promise<NewRecord> {
  assertValid(await checkReferences(writing, collection, { before: {}, after: given, named }))
  const [row] = await newRows(writing, collection, [given])
  if (!row) throw new Error('No row was created for a record')
  insertRecord(writing.transaction, collection, row)
  indexRecords(writing, collection, [row.id])
  return publishCreated(writing, collection, row)
}

const ROWS_PER_INSERT = 200

export async function writeNewRecords(
  writing: Writing,
  collection: Collection,
  given: readonly RecordValues[],
): Promise<NewRecord[]> {
  const all: NewRecord[] = []
  for (let at = 0; at < given.length; at += ROWS_PER_INSERT) {
    const rows = await newRows(writing, collection, given.slice(at, at + ROWS_PER_INSERT))
    await insertRecords(writing.transaction, collection, rows)
    indexRecords(
      writing,
      collection,
      rows.map(({ id }) => id),
    )
    for (const row of rows) all.push(await publishCreated(writing, collection, row))
  }
  return all
}

async function newRows(
  writing: Writing,
  collection: Collection,
  given: readonly RecordValues[],
): Promise<readonly NewRow[]> {
  const { transaction, newId, at } = writing
  const userId = userIdOf(writing.actor)
  const counted = collection.fields.filter(({ kind }) => kind === 'auto-number')
  const firsts: (readonly [string, number])[] = []
  for (const { id } of counted) firsts.push([id, await allocateNumbers(transaction, id, given.length)])
  return given.map((values, place) => {
    const numbers: { readonly [field: string]: FieldValue } = Object.fromEntries(
      firsts.map(([id, first]) => [id, first + place]),
    )
    return { id: newId(), values: { ...values, ...numbers }, at, userId }
  })
}

async function publishCreated(
  writing: Writing,
  collection: Collection,
  { id, values, at, userId }: NewRow,
): Promise<NewRecord> {
  assertValid(await updateFiles(writing, collection, { record: id, before: {}, after: values }))
  const record: CollectionRecord = {
    id,
    collection: collection.id,
    version: 1,
    createdAt: at,
    createdBy: userId,
    updatedAt: at,
    updatedBy: userId,
    values,
  }
  writing.note(collection.id, { before: null, after: record })
  const after = values as Json
  return { record, change: { kind: 'record-created', collection: collection.id, record: id, before: null, after } }
}
