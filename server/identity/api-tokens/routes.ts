import * as api from '#api/account.ts'
import { signedInByHand, actingUser } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { changeToken, createToken, revokeToken, type TokenDeps } from './write-token.ts'
import { listTokensOf, type StoredToken } from './store.ts'

const show = (token: StoredToken): api.ApiTokenBody => ({
  id: token.id,
  name: token.name,
  scopes: [...token.scopes],
  createdAt: token.createdAt.toISOString(),
  usedAt: token.usedAt?.toISOString() ?? null,
  expiresAt: token.expiresAt?.toISOString() ?? null,
})

export const tokenRoutes = (deps: TokenDeps): readonly Route[] => [
  route(api.listTokens, signedInByHand, async ({ actor }) => ({
    items: (await listTokensOf(deps.database.read, actingUser(actor).userId)).map(show),
  })),
  route(api.createToken, signedInByHand, async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return createToken(deps, { userId: actingUser(actor).userId, address: request.ip }, body)
  }),
  route(api.changeToken, signedInByHand, async ({ actor, params, body, request }) => {
    await requireReauthentication(deps, actor)
    const { userId, grants } = actingUser(actor)
    return show(await changeToken(deps, { userId, grants, address: request.ip }, { id: params.token, ...body }))
  }),
  route(api.revokeToken, signedInByHand, async ({ actor, params, request }) =>
    revokeToken(deps, { userId: actingUser(actor).userId, address: request.ip }, params.token),
  ),
]
