import * as api from '#api/indexes.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { IndexDeps } from './index-deps.ts'
import { listIndexes } from './list-indexes.ts'

export const indexRoutes = (deps: Pick<IndexDeps, 'database' | 'definitions'>): readonly Route[] => [
  route(api.listIndexes, can('collections:manage'), async ({ actor, params }) =>
    listIndexes(deps, actor, params.collection),
  ),
]
