import * as api from '#api/workflows.ts'
import { can } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import type { RecordDeps } from '#server/records/record-needs.ts'
import { listTransitions } from './list-moves.ts'
import { listStatusHistory } from './list-status-history.ts'
import { transitionRecord } from './move-record.ts'

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
