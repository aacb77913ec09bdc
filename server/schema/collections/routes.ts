import * as api from '#api/collections.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { changeFieldInBackground } from '#server/schema/kind-changes/change-field-in-background.ts'
import { can, signedIn } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { arrangeCollections } from './arrange-collections.ts'
import { addField, changeCollection, deleteCollection, removeField } from './change-collection.ts'
import { createCollection } from './create-collection.ts'
import { getCollection, maySee } from '#server/query/definitions/find-collection.ts'
import { showCollection } from './show-collection.ts'

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
    removeField(deps, actor, params.collection, params.field),
  ),
]
