import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type NamedValues, checkNewValues, fieldsNamed } from '#domain/records/check-values.ts'
import { commitChange, type Writing } from '#server/changes/commit-change.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { asBegun } from '#server/workflows/begin-anywhere.ts'
import type { RecordNeeds } from './record-needs.ts'
import { partlyWritten, refuseClosed } from './refuse-closed.ts'
import { showRecord } from './show-records.ts'
import { acceptedValues } from './values-problem.ts'
import { refuseLeaving } from './visible-records.ts'
import { withPresets } from './with-presets.ts'
import { type NewRecord, writeNewRecord } from './write-new-records.ts'

/** Story: a new record. */
export async function createRecord(
  needs: RecordNeeds,
  actor: Actor,
  nameOrId: string,
  given: NamedValues,
): Promise<RecordBody> {
  const { collection, record } = await commitChange(needs, actor, async (writing) => {
    const { change, ...made } = await makeRecord(writing, nameOrId, given)
    const { collection, record } = made
    return {
      answer: made,
      changes: [change],
      events: [{ type: 'records-changed', collection: collection.id, records: [record.id] }],
    }
  })
  return showRecord(needs, actor, collection, record)
}

/** A record that was made, and its entry for the log. */
export type MadeRecord = NewRecord & { readonly collection: Collection }

/** The same inside a write that does more. */
export async function makeRecord(writing: Writing, nameOrId: string, given: NamedValues): Promise<MadeRecord> {
  const { actor } = writing
  const { collection, decision } = getCollection(writing.definitions, actor, 'records:create', nameOrId)
  const partly = partlyWritten(actor, { collection, decision }, given)
  const started = asBegun(actor, withPresets(writing, { collection, decision }, given))
  const values = acceptedValues(checkNewValues(started, given, decision.hiddenFields))
  const { record, change } = await writeNewRecord(writing, collection, values, fieldsNamed(collection, given))
  await refuseLeaving(writing, collection, decision, record)
  await refuseClosed(writing, { collection, decision }, partly, [record.id])
  return { collection, record, change }
}
