import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type NamedValues, checkNewValues, fieldsNamed } from '#domain/records/check-values.ts'
import { commitChange, type Writing } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { withoutStartRestriction } from '#server/records/workflow/unrestricted-start.ts'
import type { RecordDeps } from './record-deps.ts'
import { partlyWritableFields, assertWritableFields } from '#server/records/write/assert-writable-fields.ts'
import { showRecord } from '#server/records/show/show-records.ts'
import { validValues } from '#server/records/values/value-errors.ts'
import { assertInScope } from './visible-records.ts'
import { withGrantedDefaults } from '#server/records/values/granted-defaults.ts'
import { type NewRecord, writeNewRecord } from '#server/records/write/write-new-records.ts'

export async function createRecord(
  deps: RecordDeps,
  actor: Actor,
  nameOrId: string,
  given: NamedValues,
): Promise<RecordBody> {
  const { collection, record } = await commitChange(deps, actor, async (writing) => {
    const { change, ...made } = await createRecordIn(writing, nameOrId, given)
    const { collection, record } = made
    return {
      answer: made,
      changes: [change],
      events: [{ type: 'records-changed', collection: collection.id, records: [record.id] }],
    }
  })
  return showRecord(deps, actor, collection, record)
}

export type CreatedRecord = NewRecord & { readonly collection: Collection }

export async function createRecordIn(writing: Writing, nameOrId: string, given: NamedValues): Promise<CreatedRecord> {
  const { actor } = writing
  const { collection, decision } = getCollection(writing.definitions, actor, 'records:create', nameOrId)
  const partly = partlyWritableFields(actor, { collection, decision }, given)
  const started = withoutStartRestriction(actor, withGrantedDefaults(writing, { collection, decision }, given))
  const values = validValues(checkNewValues(started, given, decision.hiddenFields))
  const { record, change } = await writeNewRecord(writing, collection, values, fieldsNamed(collection, given))
  await assertInScope(writing, collection, decision, record)
  await assertWritableFields(writing, { collection, decision }, partly, [record.id])
  return { collection, record, change }
}
