import type { FastifyRequest } from 'fastify'
import * as api from '#api/second-factors.ts'
import type { SessionKind } from '#domain/sessions/session.ts'
import { open } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { deviceOf, assertNotFromForeignPage, assertNotFromPage, sendTokens } from '#server/identity/sign-in/routes.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { answerChallenge, attemptOriginOf, findSecondStep, passkeyOptionsForStep } from './answer-challenge.ts'
import type { FactorDeps } from './factor-deps.ts'
import { beginPasskeyLogin, passkeyLogin } from './passkeys/passkey-login.ts'

export type SignInRouteDeps = FactorDeps & { readonly publicUrl: URL; readonly cookie: RefreshCookie }

/**
 * Binds a sign-in to its client type: a page can't complete an API client's sign-in, and other sites can't complete a
 * page's.
 */
function assertSameSessionKind(kind: SessionKind, request: FastifyRequest, publicUrl: URL): void {
  if (kind === 'api') assertNotFromPage(request, publicUrl)
  else assertNotFromForeignPage(request, publicUrl)
}

const challengeRoutes = (deps: SignInRouteDeps): Route[] => [
  route(api.completeChallenge, open('the challenge identifies the user'), async ({ body, request, reply }) => {
    const step = await findSecondStep(deps, body.id)
    assertSameSessionKind(step.begun.kind, request, deps.publicUrl)
    const replaces = step.begun.kind === 'browser' ? deps.cookie.read(request) : undefined
    const { deviceId } = attemptOriginOf(deps, request, step.user.id)
    const answer = { proof: body.proof, device: deviceOf(request), deviceId, replaces }
    return sendTokens(deps, reply, await answerChallenge(deps, step, answer))
  }),
  route(api.passkeyChallengeOptions, open('the challenge identifies the user'), async ({ body, request }) => {
    const step = await findSecondStep(deps, body.id)
    assertSameSessionKind(step.begun.kind, request, deps.publicUrl)
    return { ...(await passkeyOptionsForStep(deps, step)) }
  }),
]

const passkeyRoutes = (deps: SignInRouteDeps): Route[] => [
  route(api.passkeyLoginOptions, open('sign-in without a user name'), async () => {
    const { id, options } = await beginPasskeyLogin(deps)
    return { id, options: { ...options } }
  }),
  route(api.passkeyLogin, open('sign-in: the passkey identifies the user'), async ({ body, request, reply }) => {
    assertNotFromForeignPage(request, deps.publicUrl)
    const { id, response, remember: isRemembered } = body
    const replaces = deps.cookie.read(request)
    const attempt = { id, response, isRemembered, device: deviceOf(request), replaces }
    return sendTokens(deps, reply, await passkeyLogin(deps, attempt))
  }),
]

export const secondStepRoutes = (deps: SignInRouteDeps): readonly Route[] => [
  ...challengeRoutes(deps),
  ...passkeyRoutes(deps),
]
