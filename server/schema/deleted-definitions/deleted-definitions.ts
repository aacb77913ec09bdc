import { userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Workflow } from '#domain/workflow/workflow.ts'
import type { CollectionId, FieldId, UserId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'

/** A deleted field, and its part in the definition. */
export type DeletedField = {
  readonly field: Field
  /** If its values are those that another field had before a change, which is undone with them. */
  readonly formerOf?: { readonly field: FieldId; readonly changeSet: string }
  readonly position: number
  readonly isTitle: boolean
  /** The workflow of the collection, if this was its status field. */
  readonly workflow?: Workflow
}

export type DeletedDefinition = {
  /** ID of the field or collection. */
  readonly id: string
  /** The collection of a field, or the collection itself. */
  readonly collection: CollectionId
  readonly definition: DeletedField | Collection
  readonly deletedAt: string
  readonly deletedBy: UserId | null
}

export const deletionBy = (
  { actor, at }: Writing,
  { id }: Collection,
): Pick<DeletedDefinition, 'collection' | 'deletedAt' | 'deletedBy'> => ({
  collection: id,
  deletedAt: at,
  deletedBy: userIdOf(actor),
})

export const isDeletedField = (definition: DeletedDefinition['definition']): definition is DeletedField =>
  'field' in definition

export async function insertDeleted({ db }: Transaction, deleted: DeletedDefinition): Promise<void> {
  await db
    .insertInto('deleted_definitions')
    .values({
      id: deleted.id,
      collection_id: deleted.collection,
      definition: JSON.stringify(deleted.definition),
      deleted_at: deleted.deletedAt,
      deleted_by: deleted.deletedBy,
    })
    .execute()
}

const deleted = (db: Reader) => db.selectFrom('deleted_definitions').selectAll()

type Row = Awaited<ReturnType<ReturnType<typeof deleted>['executeTakeFirstOrThrow']>>

const deletedOf = (row: Row): DeletedDefinition => ({
  id: row.id,
  collection: row.collection_id,
  definition: JSON.parse(row.definition),
  deletedAt: row.deleted_at,
  deletedBy: row.deleted_by,
})

/** Whether it keeps former values of a field, which can't be restored by themselves. */
export const isFormer = ({ definition }: Pick<DeletedDefinition, 'definition'>): boolean =>
  isDeletedField(definition) && definition.formerOf !== undefined

/** All deleted fields and collections, last deleted first; there are only a few. */
export async function listDeleted(db: Reader): Promise<DeletedDefinition[]> {
  return (await deleted(db).orderBy('deleted_at', 'desc').orderBy('id').execute()).map(deletedOf)
}

export async function findDeleted(db: Reader, id: string): Promise<DeletedDefinition | undefined> {
  const row = await deleted(db).where('id', '=', id).executeTakeFirst()
  return row && deletedOf(row)
}

/** The deleted fields of a collection, last deleted first. */
export async function deletedFieldsOf(db: Reader, collection: CollectionId): Promise<readonly DeletedField[]> {
  const rows = await deleted(db)
    .where('collection_id', '=', collection)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ definition }) => JSON.parse(definition)).filter(isDeletedField)
}

/** The former values of a field, newest first. */
export async function formerFieldsOf(
  db: Reader,
  collection: CollectionId,
  field: FieldId,
): Promise<readonly DeletedField[]> {
  return (await deletedFieldsOf(db, collection)).filter(({ formerOf }) => formerOf?.field === field)
}

export async function removeDeleted({ db }: Transaction, id: string): Promise<void> {
  await db.deleteFrom('deleted_definitions').where('id', '=', id).execute()
}

/** Removes a collection together with its fields. */
export async function removeAllDeleted({ db }: Transaction, collection: CollectionId): Promise<void> {
  await db.deleteFrom('deleted_definitions').where('collection_id', '=', collection).execute()
}
