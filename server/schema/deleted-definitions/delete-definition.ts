import type { CollectionBody } from '#api/collections.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type WriteDeps, type Writing, commitDefinition } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { assertCollectionUnreferenced } from '#server/schema/roles/assert-unreferenced.ts'
import {
  detachCollection,
  getField,
  storeDefinition,
  withoutField,
} from '#server/schema/collections/change-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { dropIndexesOfField } from '#server/schema/collections/tables-store.ts'
import { type DeletedDefinition, insertDeleted } from './deleted-definitions.ts'

/** Moves a field to the trash. Its values and files are kept until it can no longer be restored. */
export function deleteField(
  deps: WriteDeps,
  actor: Actor,
  nameOrId: string,
  fieldNameOrId: string,
): Promise<CollectionBody> {
  return commitDefinition(deps, actor, async (writing) => {
    const { collection } = getCollection(writing.definitions, actor, 'collections:manage', nameOrId)
    const field = getField(collection, fieldNameOrId)
    const { workflow } = collection
    await dropIndexesOfField(writing.transaction, collection.id, field)
    await insertDeleted(writing.transaction, {
      ...deletionBy(writing, collection),
      id: field.id,
      definition: {
        field,
        position: collection.fields.indexOf(field),
        isTitle: collection.titleField === field.id,
        ...(workflow?.field === field.id && { workflow }),
      },
    })
    return storeDefinition(writing, collection, withoutField(collection, field))
  })
}

const deletionBy = (
  { actor, at }: Writing,
  { id }: Collection,
): Pick<DeletedDefinition, 'collection' | 'deletedAt' | 'deletedBy'> => ({
  collection: id,
  deletedAt: at,
  deletedBy: userIdOf(actor),
})

/** Moves a collection to the trash with its records. Rejected if relations in other collections link to it. */
export function deleteCollection(deps: WriteDeps, actor: Actor, nameOrId: string): Promise<void> {
  return commitDefinition(deps, actor, async (writing) => {
    const { collection } = getCollection(writing.definitions, actor, 'collections:manage', nameOrId)
    await assertCollectionUnreferenced(writing, collection)
    await detachCollection(writing, collection)
    await insertDeleted(writing.transaction, {
      ...deletionBy(writing, collection),
      id: collection.id,
      definition: collection,
    })
    return { answer: undefined, ...definitionChange(collection, null) }
  })
}
