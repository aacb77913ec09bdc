import type { Collection } from '#domain/collections/collection.ts'
import { holdsList } from '#domain/fields/field.ts'
import { rollupsIn } from '#domain/formulas/value-field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { userIdOf } from '#domain/access/actor.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import { takesFiles } from '#domain/fields/files.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { indexRecords, unindexRecords } from '#server/query/search/index/index-records.ts'
import { assertNotFrozen } from '#server/records/workflow/assert-not-frozen.ts'
import { updateFiles } from '#server/records/values/attach-files.ts'
import { checkReferences } from '#server/records/values/check-references.ts'
import { changedValues, unreadableAmong } from '#server/records/values/changed-values.ts'
import { deleteRecords, recordsPointingAt, updateRecord } from '#server/records/crud/store.ts'
import { type LockedRecord, lockRecords } from '#server/records/crud/read-record.ts'
import { unreadableFieldsIn } from '#server/records/show/unreadable-fields.ts'
import { assertValid } from '#server/records/values/value-errors.ts'

export async function writeChangedRecord(
  writing: Writing,
  collection: Collection,
  before: CollectionRecord,
  given: RecordValues,
): Promise<{ readonly record: CollectionRecord; readonly changes: readonly Change[] }> {
  const unread = (await unreadableFieldsIn(writing, collection, [before]))(before)
  const changed = changedValues(collection, before, given, unread)
  assertNotFrozen(collection, before, changed, unread)
  assertValid(await checkReferences(writing, collection, { before: before.values, after: given }))
  return writeChangedValues(writing, collection, before, { values: changed, unread })
}

export async function writeChangedValues(
  writing: Writing,
  collection: Collection,
  before: CollectionRecord,
  { values: changed, unread }: { readonly values: RecordValues; readonly unread?: HiddenFields },
): Promise<{ readonly record: CollectionRecord; readonly changes: readonly Change[] }> {
  if (Object.keys(changed).length === 0) return { record: before, changes: [] }
  const version = before.version + 1
  const userId = userIdOf(writing.actor)
  updateRecord(writing.transaction, collection, {
    id: before.id,
    version,
    values: changed,
    at: writing.at,
    userId,
  })
  indexRecords(writing, collection, [before.id], new Set(Object.keys(changed)))
  assertValid(await updateFiles(writing, collection, { record: before.id, before: before.values, after: changed }))

  const was = Object.fromEntries(Object.keys(changed).map((field) => [field, before.values[field] ?? null]))
  const record: CollectionRecord = {
    ...before,
    version,
    updatedAt: writing.at,
    updatedBy: userId,
    values: { ...before.values, ...changed },
  }
  writing.note(collection.id, { before, after: record }, unreadableAmong(changed, unread))
  return {
    record,
    changes: [
      { kind: 'record-changed', collection: collection.id, record: before.id, before: json(was), after: json(changed) },
    ],
  }
}

export async function writeRemovedRecords(
  writing: Writing,
  collection: Collection,
  records: readonly LockedRecord[],
): Promise<Change[]> {
  const ids = records.map((record) => record.id)
  const changes = await clearRelations(writing, collection, ids)
  await unindexRecords(writing, collection, ids)
  // On SQLite, another thread deletes them while the entries are being made.
  deleteRecords(writing.transaction, collection, ids)
  const withoutFiles = Object.fromEntries(
    collection.fields.filter(takesFiles).map((field) => [field.id, emptyValue(field)]),
  )
  for (const record of records) {
    const move = { record: record.id, before: record.values, after: withoutFiles }
    if (Object.keys(withoutFiles).length > 0) await updateFiles(writing, collection, move)
    writing.note(collection.id, { before: record, after: null })
    changes.push({
      kind: 'record-deleted',
      collection: collection.id,
      record: record.id,
      before: json(withoutRollups(collection, record.values)),
      after: null,
      recordMeta: metaOf(record),
    })
  }
  return changes
}

/** Calculated values aren't in the change log, because others determine them. */
const withoutRollups = ({ fields }: Collection, values: RecordValues): RecordValues => {
  const rollups = new Set(rollupsIn(fields).map(({ id }) => id))
  return rollups.size === 0 ? values : Object.fromEntries(Object.entries(values).filter(([id]) => !rollups.has(id)))
}

const metaOf = ({ version, createdAt, createdBy, updatedAt, updatedBy, importId }: LockedRecord) => ({
  version,
  createdAt,
  createdBy,
  updatedAt,
  updatedBy,
  importId,
})

async function clearRelations(writing: Writing, target: Collection, ids: readonly RecordId[]): Promise<Change[]> {
  const gone = new Set(ids)
  const changes: Change[] = []
  for (const collection of writing.definitions.list) {
    for (const field of collection.fields) {
      if (field.kind !== 'relation' || field.options.collection !== target.id) continue
      const pointing = await recordsPointingAt(writing.transaction, collection, field, ids)
      const staying = collection.id === target.id ? pointing.filter((id) => !gone.has(id)) : pointing
      for (const record of await lockRecords(writing, collection, staying)) {
        const was = record.values[field.id]
        const rest = holdsList(field) && Array.isArray(was) ? was.map(String).filter((id) => !gone.has(id)) : null
        const follows = withoutRuleChecks(writing)
        changes.push(
          ...(await writeChangedValues(follows, collection, record, { values: { [field.id]: rest } })).changes,
        )
      }
    }
  }
  return changes
}

const json = (values: unknown): Json => values as Json
