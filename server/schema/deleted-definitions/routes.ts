import * as api from '#api/trash.ts'
import type { DeletedDefinition as DeletedBody } from '#api/trash.ts'
import type { Actor } from '#domain/access/actor.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { expiryOf, readTrashDays, trashCutoff } from '#server/records/changes/retention.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { peopleById } from '#server/records/show/linked-names.ts'
import { isDeletedField, isFormer, listDeleted } from './deleted-definitions.ts'
import { purgeDefinition } from './purge-definition.ts'
import { mayManage, restoreDefinition } from './restore-definition.ts'

export const deletedDefinitionRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listDeletedDefinitions, can('collections:manage'), async ({ actor }) => ({
    items: await listDefinitions(deps, actor),
  })),
  route(api.restoreDefinition, can('collections:manage'), async ({ actor, params }) =>
    restoreDefinition(deps, actor, params.definition),
  ),
  route(api.deleteDefinitionPermanently, can('collections:manage'), async ({ actor, params }) =>
    purgeDefinition(deps, actor, params.definition),
  ),
]

async function listDefinitions(deps: RecordDeps, actor: Actor): Promise<DeletedBody[]> {
  const db = deps.database.read
  const definitions = await deps.definitions.current()
  const since = await trashCutoff(db, deps.clock())
  const days = await readTrashDays(db)
  const kept = (await listDeleted(db)).filter(
    (deleted) => deleted.deletedAt >= since && !isFormer(deleted) && mayManage(definitions, actor, deleted),
  )
  const people = await peopleById(deps, [...new Set(kept.flatMap(({ deletedBy }) => deletedBy ?? []))])
  return kept.map(({ id, collection, definition, deletedAt, deletedBy }) => ({
    id,
    kind: isDeletedField(definition) ? 'field' : 'collection',
    label: isDeletedField(definition) ? definition.field.label : definition.label,
    collection: isDeletedField(definition) ? (definitions.byId.get(collection)?.label ?? '') : definition.label,
    deletedAt,
    deletedBy: deletedBy === null ? null : (people.get(deletedBy) ?? { id: deletedBy }),
    expiresAt: expiryOf(deletedAt, days),
  }))
}
