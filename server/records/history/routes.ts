import * as api from '#api/history.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { eraseHistory } from './erase-history.ts'
import { listHistory } from './record-history.ts'
import { restoreVersion } from './restore-version.ts'

export const historyRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listHistory, can('records:read'), async ({ actor, params, query }) =>
    listHistory(deps, actor, params, query),
  ),
  route(api.restoreVersion, can('records:update'), async ({ actor, params, body }) =>
    restoreVersion(deps, actor, params, body),
  ),
  route(api.eraseHistory, canByHand('workspace:manage'), async ({ actor, body, request }) =>
    eraseHistory(deps, { actor, address: request.ip }, body),
  ),
]
