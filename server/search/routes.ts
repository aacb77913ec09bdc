import * as api from '#api/search.ts'
import { can, signedIn } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import type { RecordDeps } from '#server/records/record-needs.ts'
import { readSearchIndex } from './read-search-index.ts'
import { searchEverything } from './search-everything.ts'

/** The HTTP door of searches across collections, and of the indexes behind all searches. */
export const searchRoutes = (needs: RecordDeps): readonly Route[] => [
  // Collections that the actor may not read are not searched.
  route(api.searchEverything, signedIn, async ({ actor, query }) => searchEverything(needs, actor, query)),
  route(api.readSearchIndex, can('records:read'), async ({ actor, params }) =>
    readSearchIndex(needs, actor, params.collection),
  ),
]
