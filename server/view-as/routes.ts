import * as api from '#api/view-as.ts'
import { alsoWhileSeen, canByHand, signedInByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { beginViewAs, endViewAs, type ViewAsNeeds } from './begin-view-as.ts'

/** The doors of looking at the product as another user sees it. */
export const viewAsRoutes = (needs: ViewAsNeeds): readonly Route[] => [
  route(api.beginViewAs, canByHand('users:manage'), async ({ actor, body, request }) => ({
    user: await beginViewAs(needs, { actor, address: request.ip }, body.user),
  })),
  route(api.endViewAs, alsoWhileSeen(signedInByHand), async ({ actor, request }) =>
    endViewAs(needs, { actor, address: request.ip }),
  ),
]
