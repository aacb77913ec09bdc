import * as api from '#api/home.ts'
import { signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { addFavorite, listFavorites, removeFavorite, reorderFavorites } from './change-favorites.ts'

export const favoriteRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listFavorites, signedInByHand, async ({ actor }) => ({ items: await listFavorites(deps, actor) })),
  route(api.addFavorite, signedInByHand, async ({ actor, body }) => ({
    items: await addFavorite(deps, actor, body),
  })),
  route(api.removeFavorite, signedInByHand, async ({ actor, params }) => ({
    items: await removeFavorite(deps, actor, params.favourite),
  })),
  route(api.reorderFavorites, signedInByHand, async ({ actor, body }) => ({
    items: await reorderFavorites(deps, actor, body.ids),
  })),
]
