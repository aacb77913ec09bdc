import * as api from '#api/account.ts'
import { signedInByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { endListedSession, listSessions } from './list-sessions.ts'
import type { SessionNeeds } from './session-needs.ts'
import { userOf } from './user-of.ts'

/** The doors of the list of one's own sessions. */
export const accountSessionRoutes = (needs: SessionNeeds): readonly Route[] => [
  route(api.listSessions, signedInByHand, async ({ actor }) => ({ items: await listSessions(needs, userOf(actor)) })),
  route(api.endSession, signedInByHand, async ({ actor, params, request }) =>
    endListedSession(needs, { userId: userOf(actor).userId, address: request.ip }, params.session),
  ),
]
