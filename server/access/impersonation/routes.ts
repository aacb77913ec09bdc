import * as api from '#api/account.ts'
import { allowWhileImpersonated, canByHand, signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { beginImpersonation, endImpersonation, type ViewAsDeps } from './begin-impersonation.ts'

export const impersonationRoutes = (deps: ViewAsDeps): readonly Route[] => [
  route(api.startImpersonation, canByHand('users:manage'), async ({ actor, body, request }) => ({
    user: await beginImpersonation(deps, { actor, address: request.ip }, body.user),
  })),
  route(api.stopImpersonation, allowWhileImpersonated(signedInByHand), async ({ actor, request }) =>
    endImpersonation(deps, { actor, address: request.ip }),
  ),
]
