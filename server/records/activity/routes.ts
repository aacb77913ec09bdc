import * as api from '#api/activity.ts'
import { listChanges as changesEndpoint } from '#api/changes.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { undoChangeSet } from '#server/records/undo/undo-change-set.ts'
import { listActivity } from './list-activity.ts'
import { listChanges } from './list-changes.ts'

export const activityRoutes = (deps: BulkDeps): readonly Route[] => [
  route(api.listActivity, can('records:read'), async ({ actor, query }) => listActivity(deps, actor, query)),
  route(changesEndpoint, can('records:read'), async ({ actor, query }) => listChanges(deps, actor, query)),
  // The other permissions depend on what the change set did.
  route(api.undoChangeSet, can('records:read'), async ({ actor, params, query, reply }) => {
    const said = await undoChangeSet(deps, actor, params.changeSet, { isPreview: query.preview === 'true' })
    if ('job' in said) void reply.code(202)
    return said
  }),
]
