import * as api from '#api/views.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { changeView, createView, listViews, removeView } from './save-view.ts'

export const viewRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listViews, can('records:read'), async ({ actor, params }) => ({
    items: await listViews(deps, actor, params.collection),
  })),
  route(api.createView, can('records:read'), async ({ actor, params, body }) =>
    createView(deps, actor, params.collection, body),
  ),
  route(api.changeView, can('records:read'), async ({ actor, params, body }) => changeView(deps, actor, params, body)),
  route(api.deleteView, can('records:read'), async ({ actor, params }) => removeView(deps, actor, params)),
]
