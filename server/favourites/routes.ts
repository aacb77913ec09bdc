import * as api from '#api/favourites.ts'
import { signedInByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import { addFavourite, listFavourites, orderFavourites, removeFavourite } from './change-favourites.ts'

/** The doors of favourites: each user keeps their own, of what they see. */
export const favouriteRoutes = (needs: RecordNeeds): readonly Route[] => [
  route(api.listFavourites, signedInByHand, async ({ actor }) => ({ items: await listFavourites(needs, actor) })),
  route(api.addFavourite, signedInByHand, async ({ actor, body }) => ({
    items: await addFavourite(needs, actor, body),
  })),
  route(api.removeFavourite, signedInByHand, async ({ actor, params }) => ({
    items: await removeFavourite(needs, actor, params.favourite),
  })),
  route(api.orderFavourites, signedInByHand, async ({ actor, body }) => ({
    items: await orderFavourites(needs, actor, body.ids),
  })),
]
