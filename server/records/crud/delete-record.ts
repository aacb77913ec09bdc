import type { Actor } from '#domain/access/actor.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from './record-deps.ts'
import { getVisible } from './visible-records.ts'
import { writeRemovedRecords } from '#server/records/write/write-records.ts'

export function deleteRecord(
  deps: RecordDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
): Promise<void> {
  return commitChange(deps, actor, async (writing) => {
    const { collection, decision } = getCollection(writing.definitions, actor, 'records:delete', place.collection)
    const record = await getVisible(writing, collection, decision, place.record)
    const changes = await writeRemovedRecords(writing, collection, [record])
    return {
      answer: undefined,
      changes,
      changeSet: writing.newId(),
      events: [{ type: 'records-changed', collection: collection.id, records: [record.id] }],
    }
  })
}
