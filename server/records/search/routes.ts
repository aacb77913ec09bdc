import * as api from '#api/search.ts'
import { can, signedIn } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { readSearchIndex } from '#server/query/search/index/index-progress.ts'
import { searchEverything } from './search-everything.ts'

export const searchRoutes = (deps: RecordDeps): readonly Route[] => [
  // Collections that the actor may not read are not searched.
  route(api.searchEverything, signedIn, async ({ actor, query }) => searchEverything(deps, actor, query)),
  route(api.readSearchIndex, can('records:read'), async ({ actor, params }) =>
    readSearchIndex(deps, actor, params.collection),
  ),
]
