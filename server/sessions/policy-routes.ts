import * as api from '#api/workspace.ts'
import { canByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { changeSessionPolicy } from './change-policy.ts'
import { findSessionPolicy } from './policy-store.ts'
import { requireReauthentication } from './require-proof.ts'
import type { SessionDeps } from './session-needs.ts'

/** The doors of what the workspace says about sessions. */
export const sessionPolicyRoutes = (needs: SessionDeps): readonly Route[] => [
  route(api.readSessionPolicy, canByHand('workspace:manage'), async () => findSessionPolicy(needs.database.read)),
  route(api.changeSessionPolicy, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return changeSessionPolicy(needs, { actor, address: request.ip }, body)
  }),
]
