import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type NamedValues, checkChangedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from './record-deps.ts'
import { partlyWritableFields, assertWritableFields } from '#server/records/write/assert-writable-fields.ts'
import { showRecord } from '#server/records/show/show-records.ts'
import { validValues } from '#server/records/values/value-errors.ts'
import { getVisible, assertInScope } from './visible-records.ts'
import { writeChangedRecord } from '#server/records/write/write-records.ts'

/** A requested change; without `version` the last writer wins. */
export type RecordChange = { readonly values: NamedValues; readonly version?: number | undefined }

type Stale = { readonly collection: Collection; readonly stale: CollectionRecord }
type Updated = { readonly collection: Collection; readonly record: CollectionRecord }

/** Updates fields of a record. A stale version is rejected with the current record. */
export async function updateRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
  change: RecordChange,
): Promise<RecordBody> {
  const outcome = await commitChange<Updated | Stale>(deps, actor, async (writing) => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:update', place.collection)
    const before = await getVisible(writing, collection, decision, place.record)
    if (change.version !== undefined && change.version !== before.version) {
      return { answer: { collection, stale: before }, changes: [], events: [] }
    }

    const partly = partlyWritableFields(actor, { collection, decision }, change.values)
    const values = validValues(checkChangedValues(collection, change.values, decision.hiddenFields))
    await assertWritableFields(writing, { collection, decision }, partly, [before.id])
    const { record, changes } = await writeChangedRecord(writing, collection, before, values)
    await assertInScope(writing, collection, decision, record)
    await assertWritableFields(writing, { collection, decision }, partly, [record.id])
    return {
      answer: { collection, record },
      changes,
      events: changes.length > 0 ? [{ type: 'records-changed', collection: collection.id, records: [record.id] }] : [],
    }
  })

  if ('record' in outcome) return showRecord(deps, actor, outcome.collection, outcome.record)
  throw new Problem('version-conflict', 'Someone else edited this record. Your changes aren’t saved yet.', {
    extra: { current: await showRecord(deps, actor, outcome.collection, outcome.stale) },
  })
}
