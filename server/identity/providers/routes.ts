import type { FastifyRequest } from 'fastify'
import * as api from '#api/providers.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { open, signedInByHand, actingUser } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { sessionOfRefreshToken } from '#server/identity/sessions/session-deps.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { deviceOf, assertNotFromForeignPage, sendTokens } from '#server/identity/sign-in/routes.ts'
import { beginProviderLogin } from './begin-provider-login.ts'
import { finishProviderLogin } from './finish-provider-login.ts'
import { unlinkProvider } from './link-identity.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { listIdentities } from './store.ts'
import { type TransactionCookie, transactionCookieFor } from './transaction-cookie.ts'

export type ProviderRouteDeps = ProviderDeps & { readonly cookie: RefreshCookie }

/** The cookie is set on the page's host and the provider redirects to the public URL, so both hosts must match. */
function requirePublicAddress({ headers }: FastifyRequest, { origin }: URL): void {
  if (headers.origin === undefined || headers.origin === origin) return
  throw new Problem(
    'origin-refused',
    `Identity providers redirect to ${origin}. Open the workspace at that address, then sign in.`,
  )
}

const beginRoute = (deps: ProviderRouteDeps, transaction: TransactionCookie): Route =>
  route(api.startProviderLogin, open('sign-in'), async ({ params, body, actor, request, reply }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    requirePublicAddress(request, deps.publicUrl)
    const { provider } = params
    const { purpose, returnTo, remember: isRemembered } = body
    const { secret, url } = await beginProviderLogin(deps, {
      provider,
      purpose,
      returnTo,
      isRemembered,
      actor,
      address: request.ip,
    })
    transaction.write(reply, secret)
    return { url }
  })

async function ownSessions(deps: ProviderRouteDeps, actor: Actor, request: FastifyRequest): Promise<string[]> {
  const token = deps.cookie.read(request)
  const ofCookie = token === undefined ? undefined : await sessionOfRefreshToken(deps, token)
  const ofToken = actor.type === 'user' ? actor.sessionId : null
  return [ofToken, ofCookie?.isEnded === false ? ofCookie.id : null].filter((id) => id !== null)
}

const NOTHING = { purpose: 'sign-in' as const, tokens: null, challenge: null }

const finishRoute = (deps: ProviderRouteDeps, transaction: TransactionCookie): Route =>
  route(api.finishProviderLogin, open('sign-in'), async ({ body, actor, request, reply }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    const { outcome, returnTo } = await finishProviderLogin(deps, {
      url: body.url,
      secret: transaction.read(request),
      device: deviceOf(request),
      replaces: deps.cookie.read(request),
      ownSessions: await ownSessions(deps, actor, request),
    })
    transaction.clear(reply)
    switch (outcome.type) {
      case 'signed-in':
        return { ...NOTHING, tokens: sendTokens(deps, reply, outcome.tokens), returnTo }
      case 'challenge':
        return { ...NOTHING, challenge: outcome.answer.challenge, returnTo }
      case 'linked':
        return { ...NOTHING, purpose: 'link' as const, returnTo }
      case 'proven':
        return { ...NOTHING, purpose: 'prove' as const, returnTo }
    }
  })

const linkedRoute = (deps: ProviderRouteDeps): Route =>
  route(api.listLinkedProviders, signedInByHand, async ({ actor }) => {
    const linked = await listIdentities(deps.database.read, actingUser(actor).userId)
    const labels = new Map(deps.providers.list().map(({ name, label }) => [name, label]))
    const items = linked.map(({ provider, linkedAt }) => ({
      name: provider,
      // A provider that was removed from the configuration has no label, but existing links to it remain.
      label: labels.get(provider) ?? provider,
      linkedAt,
    }))
    return { items }
  })

const unlinkRoute = (deps: ProviderRouteDeps): Route =>
  route(api.unlinkProvider, signedInByHand, async ({ actor, params, request }) => {
    const { userId } = actingUser(actor)
    await requireReauthentication(deps, actor)
    await unlinkProvider(deps, { userId, name: params.provider, address: request.ip })
  })

export function providerRoutes(deps: ProviderRouteDeps): readonly Route[] {
  const transaction = transactionCookieFor(deps.publicUrl)
  return [
    route(api.listProviders, open('shown on the sign-in page'), async () => ({ items: [...deps.providers.list()] })),
    beginRoute(deps, transaction),
    finishRoute(deps, transaction),
    linkedRoute(deps),
    unlinkRoute(deps),
  ]
}
