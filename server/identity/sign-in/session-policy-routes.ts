import * as api from '#api/workspace.ts'
import { canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { changeSessionPolicy } from '#server/identity/sessions/change-session-policy.ts'
import { findSessionPolicy } from '#server/identity/sessions/session-policy-store.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'

/** The doors of what the workspace says about sessions. */
export const sessionPolicyRoutes = (needs: SessionDeps): readonly Route[] => [
  route(api.readSessionPolicy, canByHand('workspace:manage'), async () => findSessionPolicy(needs.database.read)),
  route(api.changeSessionPolicy, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return changeSessionPolicy(needs, { actor, address: request.ip }, body)
  }),
]
