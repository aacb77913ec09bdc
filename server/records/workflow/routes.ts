import * as api from '#api/workflows.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { listTransitions } from './list-transitions.ts'
import { listStatusHistory } from './list-status-history.ts'
import { transitionRecord } from './transition-record.ts'

/** The HTTP door of moves. */
export const workflowRoutes = (needs: RecordDeps): readonly Route[] => [
  route(api.listMoves, can('records:read'), async ({ actor, params }) => ({
    items: await listTransitions(needs, actor, params),
  })),
  route(api.listStatusHistory, can('records:read'), async ({ actor, params, query }) =>
    listStatusHistory(needs, actor, params, query.before),
  ),
  route(api.moveRecord, can('records:transition'), async ({ actor, params, body }) =>
    transitionRecord(needs, actor, params, body),
  ),
]
