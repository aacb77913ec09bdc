import * as api from '#api/views.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { changeView, createView, listViews, removeView } from './save-view.ts'

/** The HTTP door of saved views: whoever reads a collection keeps views of it. */
export const viewRoutes = (needs: RecordDeps): readonly Route[] => [
  route(api.listViews, can('records:read'), async ({ actor, params }) => ({
    items: await listViews(needs, actor, params.collection),
  })),
  route(api.createView, can('records:read'), async ({ actor, params, body }) =>
    createView(needs, actor, params.collection, body),
  ),
  route(api.changeView, can('records:read'), async ({ actor, params, body }) => changeView(needs, actor, params, body)),
  route(api.deleteView, can('records:read'), async ({ actor, params }) => removeView(needs, actor, params)),
]
