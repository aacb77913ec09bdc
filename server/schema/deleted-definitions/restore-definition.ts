import type { CollectionBody } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide, hasPermissionEverywhere } from '#domain/access/decide.ts'
import { type Collection, MAX_FIELDS } from '#domain/collections/collection.ts'
import { nameFromLabel } from '#domain/collections/names.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { relationOf } from '#domain/collections/reverse-side.ts'
import { takesFiles } from '#domain/fields/files.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  type WriteDeps,
  type WriteResult,
  type Writing,
  commitDefinition,
} from '#server/records/changes/commit-change.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import { withoutStaleWorkflow } from '#server/records/workflow/check-workflow.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection, maySee } from '#server/query/definitions/find-collection.ts'
import { detachFilesOfMissing, incrementDefinitionsVersion, insertCollection } from '#server/query/definitions/store.ts'
import { syncFullTextIndexes } from '#server/query/search/index/sync-definition.ts'
import { storeDefinition } from '#server/schema/collections/change-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { showCollection } from '#server/schema/collections/show-collection.ts'
import { createUniqueIndex } from '#server/schema/collections/tables-store.ts'
import { fillNewField } from '#server/schema/fields/convert-values.ts'
import { clearMissingLinks } from '#server/schema/fields/values-store.ts'
import {
  type DeletedDefinition,
  type DeletedField,
  findDeleted,
  insertDeleted,
  isDeletedField,
  isFormer,
  removeDeleted,
} from './deleted-definitions.ts'

/** Restores a deleted field or collection with its values. */
export const restoreDefinition = (deps: WriteDeps, actor: Actor, id: string): Promise<CollectionBody> =>
  commitDefinition(deps, actor, (writing) => restoreDefinitionIn(writing, id))

export async function restoreDefinitionIn(writing: Writing, id: string): Promise<WriteResult<CollectionBody>> {
  const { transaction, definitions, actor } = writing
  const deleted = await getDeleted(writing, id)
  await removeDeleted(transaction, id)
  const { definition } = deleted
  if (!isDeletedField(definition)) return restoreCollection(writing, definition, deleted)
  const { collection } = getCollection(definitions, actor, 'collections:manage', deleted.collection)
  return restoreField(writing, collection, definition)
}

/** A deleted field or collection that the actor may manage and that hasn't expired. */
export async function getDeleted(
  { transaction, definitions, actor, at }: Writing,
  id: string,
): Promise<DeletedDefinition> {
  const deleted = await findDeleted(transaction.db, id)
  const isKept = deleted !== undefined && deleted.deletedAt >= (await trashCutoff(transaction.db, new Date(at)))
  if (!isKept || isFormer(deleted) || !mayManage(definitions, actor, deleted))
    throw new Problem('not-found', 'This field or collection isn’t in the trash, or you can’t manage it.')
  return deleted
}

/** The permission for a deleted collection is that to create one. */
export function mayManage(
  definitions: Definitions,
  actor: Actor,
  { collection, definition }: DeletedDefinition,
): boolean {
  if (!isDeletedField(definition)) return hasPermissionEverywhere(actor, 'collections:manage')
  const home = definitions.byId.get(collection)
  return home !== undefined && maySee(actor, home) && decide(actor, 'collections:manage', home).allowed
}

async function restoreField(writing: Writing, collection: Collection, deleted: DeletedField) {
  const { transaction } = writing
  if (collection.fields.length >= MAX_FIELDS)
    throw new Problem('definition-invalid', `A collection can have at most ${MAX_FIELDS} fields. Delete one first.`)
  const names = new Set(collection.fields.map(({ name }) => name))
  const { label, name } = deleted.field
  const field: Field = { ...deleted.field, name: names.has(name) ? nameFromLabel(label, names) : name }
  if (isTargetMissing(writing.definitions, field))
    throw new Problem(
      'definition-invalid',
      `${label} links to a collection that was deleted. Restore the collection first.`,
    )
  assertRelationNotShown(writing, collection, field)
  await bringUpToDate(writing, collection, field)
  if (field.unique && !holdsList(field)) await createUniqueIndex(transaction, collection.id, field.id)
  const restored: Collection = {
    ...collection,
    fields: collection.fields.toSpliced(deleted.position, 0, field),
    titleField: deleted.isTitle ? field.id : collection.titleField,
    ...(deleted.workflow && !collection.workflow && { workflow: deleted.workflow }),
  }
  return storeDefinition(writing, collection, restored, new Set([field.id]))
}

const isTargetMissing = ({ byId }: Definitions, field: Field): boolean =>
  field.kind === 'relation' && !byId.has(field.options.collection)

/** Each relation has at most one reverse side. */
function assertRelationNotShown({ definitions }: Writing, { fields, id }: Collection, field: Field): void {
  if (field.kind !== 'reverse') return
  const source = definitions.byId.get(field.options.collection)
  if (!source || relationOf(field, source)?.options.collection !== id)
    throw new Problem(
      'definition-invalid',
      `The field that ${field.label} shows was deleted. Restore that field first.`,
    )
  const other = fields.find((each) => each.kind === 'reverse' && each.options.relation === field.options.relation)
  if (other) throw new Problem('definition-invalid', `${other.label} already shows these links. Delete it first.`)
}

/** Fills records created since, and removes links to records deleted since, and their files. */
async function bringUpToDate(
  { transaction, at }: Writing,
  { id }: Pick<Collection, 'id'>,
  field: Field,
): Promise<void> {
  await fillNewField(transaction, id, field)
  if (takesFiles(field)) await detachFilesOfMissing(transaction, { collection: id, field: field.id }, at)
  if (field.kind === 'relation') await clearMissingLinks(transaction, id, field)
}

/** Fields whose links lead to a collection that is still deleted stay in the trash, with the rules that may use them. */
async function restoreCollection(writing: Writing, deleted: Collection, { deletedAt, deletedBy }: DeletedDefinition) {
  const { transaction, definitions, actor } = writing
  const known: Definitions['byId'] = new Map([...definitions.byId, [deleted.id, deleted]])
  const isLost = (field: Field): boolean => isTargetMissing({ ...definitions, byId: known }, field)
  for (const field of deleted.fields.filter(isLost)) {
    const position = deleted.fields.indexOf(field)
    const definition = { field, position, isTitle: deleted.titleField === field.id }
    await insertDeleted(transaction, { id: field.id, collection: deleted.id, definition, deletedAt, deletedBy })
  }
  const fields = deleted.fields.filter((field) => !isLost(field))
  const { rules, ...rest } = deleted
  const isWhole = fields.length === deleted.fields.length
  const collection = withoutStaleWorkflow({
    ...rest,
    ...(isWhole && rules && { rules }),
    name: definitions.byName.has(deleted.name)
      ? nameFromLabel(deleted.label, new Set(definitions.byName.keys()))
      : deleted.name,
    fields,
    titleField: fields.some(({ id }) => id === deleted.titleField) ? deleted.titleField : null,
    version: deleted.version + 1,
  })
  await insertCollection(transaction, collection)
  for (const field of fields) if (field.kind === 'relation') await clearMissingLinks(transaction, collection.id, field)
  await syncFullTextIndexes({ ...writing, parts: [] }, collection, collection)
  await incrementDefinitionsVersion(transaction)
  return { answer: showCollection(actor, collection, definitions), ...definitionChange(null, collection) }
}
