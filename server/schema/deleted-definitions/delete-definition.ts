import type { CollectionBody } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import {
  type WriteDeps,
  type WriteResult,
  type Writing,
  commitDefinition,
} from '#server/records/changes/commit-change.ts'
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
import { deletionBy, insertDeleted } from './deleted-definitions.ts'

/** Moves a field to the trash. Its values and files are kept until it can no longer be restored. */
export function deleteField(
  deps: WriteDeps,
  actor: Actor,
  nameOrId: string,
  fieldNameOrId: string,
): Promise<CollectionBody> {
  return commitDefinition(deps, actor, (writing) => deleteFieldIn(writing, nameOrId, fieldNameOrId))
}

export async function deleteFieldIn(
  writing: Writing,
  nameOrId: string,
  fieldNameOrId: string,
): Promise<WriteResult<CollectionBody>> {
  const { collection } = getCollection(writing.definitions, writing.actor, 'collections:manage', nameOrId)
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
}

/** Moves a collection to the trash with its records. Rejected if relations in other collections link to it. */
export function deleteCollection(deps: WriteDeps, actor: Actor, nameOrId: string): Promise<void> {
  return commitDefinition(deps, actor, (writing) => deleteCollectionIn(writing, nameOrId))
}

export async function deleteCollectionIn(writing: Writing, nameOrId: string): Promise<WriteResult<undefined>> {
  const { collection } = getCollection(writing.definitions, writing.actor, 'collections:manage', nameOrId)
  await assertCollectionUnreferenced(writing, collection)
  await detachCollection(writing, collection)
  await insertDeleted(writing.transaction, {
    ...deletionBy(writing, collection),
    id: collection.id,
    definition: collection,
  })
  return { answer: undefined, ...definitionChange(collection, null) }
}
