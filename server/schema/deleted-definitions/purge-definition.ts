import type { Actor } from '#domain/access/actor.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { type WriteDeps, type Writing, commitDefinition } from '#server/records/changes/commit-change.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import { discardTables } from '#server/schema/collections/change-collection.ts'
import {
  type DeletedDefinition,
  deletedFieldsOf,
  findDeleted,
  isDeletedField,
  listDeleted,
  removeAllDeleted,
} from './deleted-definitions.ts'
import { discardField, discardFormerValues } from './discard-field.ts'
import { kindChanges } from '#server/schema/kind-changes/running-changes.ts'
import { getDeleted } from './restore-definition.ts'

/** Deletes a field or collection in the trash permanently, with its values and files. */
export function purgeDefinition(deps: WriteDeps, actor: Actor, id: string): Promise<void> {
  return commitDefinition(deps, actor, async (writing) => {
    await purge(writing, await getDeleted(writing, id))
    return { answer: undefined, changes: [], events: [{ type: 'definitions-changed' }] }
  })
}

const CLEANER: Actor = { type: 'system', reason: 'emptying the trash' }

/** Deletes fields and collections that can no longer be restored. */
export async function purgeExpiredDefinitions(deps: WriteDeps): Promise<void> {
  const until = await trashCutoff(deps.database.read, deps.clock())
  const expired = (await listDeleted(deps.database.read)).filter(({ deletedAt }) => deletedAt < until)
  for (const { id } of expired) {
    await commitDefinition(deps, CLEANER, async (writing) => {
      const { db } = writing.transaction
      // Checked again: it may have been restored, or the time extended.
      const deleted = await findDeleted(db, id)
      const isOld = deleted !== undefined && deleted.deletedAt < (await trashCutoff(db, new Date(writing.at)))
      // Former values are needed until the job that restores them ends.
      const isExpired = isOld && !(await kindChanges(db)).some(({ former }) => former?.kept.id === id)
      if (isExpired) await purge(writing, deleted)
      return { answer: undefined, changes: [], events: isExpired ? [{ type: 'definitions-changed' }] : [] }
    })
  }
}

async function purge(writing: Writing, { id, collection, definition }: DeletedDefinition): Promise<void> {
  const { transaction, definitions } = writing
  const home = definitions.byId.get(collection)
  if (isDeletedField(definition)) {
    if (home?.fields.some((field) => field.id === id)) throw new Error(`Field ${id} is in use and in the trash`)
    await discardField(writing, collection, definition.field)
    await discardFormerValues(writing, collection, id)
    return
  }
  if (home) throw new Error(`Collection ${id} is in use and in the trash`)
  const fields = [...definition.fields, ...(await deletedFieldsOf(transaction.db, id)).map(({ field }) => field)]
  await discardTables(writing, { ...definition, fields })
  await removeRecordsFromTrash(writing, id)
  await removeAllDeleted(transaction, id)
}

async function removeRecordsFromTrash({ transaction: { db } }: Writing, collection: CollectionId): Promise<void> {
  await db.deleteFrom('trash').where('collection_id', '=', collection).execute()
}
