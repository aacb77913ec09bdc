import * as api from '#api/home.ts'
import { favoriteRoutes } from '#server/records/favorites/routes.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { countRecords } from './count-records.ts'
import { listToDo } from './list-to-do.ts'

/** The doors of the home page and the sidebar: what is where, what waits for whoever asks, and what they keep at hand. */
export const homeRoutes = (needs: RecordDeps): readonly Route[] => [
  route(api.countRecords, can('records:read'), async ({ actor }) => ({ items: await countRecords(needs, actor) })),
  route(api.listMovable, can('records:read'), async ({ actor }) => listToDo(needs, actor)),
  ...favoriteRoutes(needs),
]
