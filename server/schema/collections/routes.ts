import * as api from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { hasPermissionEverywhere } from '#domain/access/decide.ts'
import { applySidebarLayout, type SidebarLayout, sidebarLayoutOf } from '#domain/collections/sidebar-layout.ts'
import type { Json } from '#domain/shared/json.ts'
import { Problem } from '#domain/shared/problem.ts'
import { can, signedIn } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { getCollection, maySee } from '#server/query/definitions/find-collection.ts'
import { incrementDefinitionsVersion, storeGroups, storeOrder } from '#server/query/definitions/store.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { commitDefinition, type WriteDeps } from '#server/records/changes/commit-change.ts'
import { changeFieldInBackground } from '#server/schema/kind-changes/change-field-in-background.ts'
import { previewFormula } from '#server/schema/fields/preview-formula.ts'
import { deleteCollection, deleteField } from '#server/schema/deleted-definitions/delete-definition.ts'
import { addField, changeCollection } from './change-collection.ts'
import { createCollection } from './create-collection.ts'
import { showCollection } from './show-collection.ts'

/** Sets the sidebar order for everyone. Requires permission to manage every collection in it. */
async function arrangeCollections(deps: WriteDeps, actor: Actor, wanted: SidebarLayout): Promise<void> {
  if (!hasPermissionEverywhere(actor, 'collections:manage')) {
    throw new Problem('forbidden', 'Only users who can manage all collections can arrange them.')
  }
  return commitDefinition(deps, actor, async ({ transaction, definitions: { list } }) => {
    const arranged = applySidebarLayout(list, wanted)
    if (!arranged.ok) {
      throw new Problem('definition-invalid', 'The collections were not rearranged.', { errors: [arranged.fault] })
    }
    const groupsBefore = new Map(list.map(({ id, group }) => [id, group]))
    const moved = arranged.value.filter(({ id, group }) => groupsBefore.get(id) !== group)
    await storeGroups(
      transaction,
      moved.map(({ id, group }) => [id, group ?? null]),
    )
    await storeOrder(
      transaction,
      arranged.value.map(({ id }) => id),
    )
    await incrementDefinitionsVersion(transaction)
    const [before, after] = [list, arranged.value].map((each) => asJson(sidebarLayoutOf(each)))
    return {
      answer: undefined,
      changes: [
        { kind: 'collections-arranged', collection: null, record: null, before: before ?? null, after: after ?? null },
      ],
      events: [{ type: 'definitions-changed' }],
    }
  })
}

const asJson = (arrangement: SidebarLayout): Json =>
  arrangement.map(({ name, collections }) => ({ name, collections: [...collections] }))

export const collectionRoutes = (deps: BulkDeps): readonly Route[] => [
  route(api.listCollections, signedIn, async ({ actor }) => {
    const definitions = await deps.definitions.current()
    const seen = definitions.list.filter((collection) => maySee(actor, collection))
    return { items: seen.map((each) => showCollection(actor, each, definitions)) }
  }),
  route(api.createCollection, can('collections:manage'), async ({ actor, body }) =>
    createCollection(deps, actor, body),
  ),
  route(api.readCollection, can('records:read'), async ({ actor, params }) => {
    const definitions = await deps.definitions.current()
    const { collection } = getCollection(definitions, actor, 'records:read', params.collection)
    return showCollection(actor, collection, definitions)
  }),
  route(api.previewFormula, can('collections:manage'), async ({ actor, params, body }) =>
    previewFormula(deps, actor, params.collection, body),
  ),
  route(api.changeCollection, can('collections:manage'), async ({ actor, params, body }) =>
    changeCollection(deps, actor, params.collection, body),
  ),
  route(api.arrangeCollections, can('collections:manage'), async ({ actor, body }) =>
    arrangeCollections(deps, actor, body.groups),
  ),
  route(api.deleteCollection, can('collections:manage'), async ({ actor, params }) =>
    deleteCollection(deps, actor, params.collection),
  ),
  route(api.addField, can('collections:manage'), async ({ actor, params, body }) =>
    addField(deps, actor, params.collection, body),
  ),
  route(api.changeField, can('collections:manage'), async ({ actor, params, body, reply }) => {
    const said = await changeFieldInBackground(deps, actor, params, body)
    if ('job' in said) void reply.code(202)
    return said
  }),
  route(api.removeField, can('collections:manage'), async ({ actor, params }) =>
    deleteField(deps, actor, params.collection, params.field),
  ),
]
