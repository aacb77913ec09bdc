import * as api from '#api/account.ts'
import { signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { endListedSession, endListedSessions, listSessions } from '#server/identity/sessions/list-sessions.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { actingUser } from './acting-user.ts'

/** The doors of the list of one's own sessions. Ending one of them is free; ending all at once asks who one is. */
export const accountSessionRoutes = (needs: SessionDeps & { readonly cookie: RefreshCookie }): readonly Route[] => [
  route(api.listSessions, signedInByHand, async ({ actor }) => ({
    items: await listSessions(needs, actingUser(actor)),
  })),
  route(api.endSession, signedInByHand, async ({ actor, params, request }) =>
    endListedSession(needs, { userId: actingUser(actor).userId, address: request.ip }, params.session),
  ),
  route(api.endSessions, signedInByHand, async ({ actor, query, request, reply }) => {
    await requireReauthentication(needs, actor)
    const ended = await endListedSessions(needs, { ...actingUser(actor), address: request.ip }, query.scope)
    if (query.scope === 'all') needs.cookie.clear(reply)
    return { ended }
  }),
]
