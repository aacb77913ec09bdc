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

/** What the doors of the second step and of passkeys need. */
export type SignInRouteDeps = FactorDeps & { readonly publicUrl: URL; readonly cookie: RefreshCookie }

/** The form a sign-in began in is kept: a program's is not finished by a page, nor a page's by another site. */
function assertSameSessionKind(kind: SessionKind, request: FastifyRequest, publicUrl: URL): void {
  if (kind === 'api') assertNotFromPage(request, publicUrl)
  else assertNotFromForeignPage(request, publicUrl)
}

const challengeRoutes = (needs: SignInRouteDeps): Route[] => [
  route(api.completeChallenge, open('the challenge identifies the user'), async ({ body, request, reply }) => {
    const step = await findSecondStep(needs, body.id)
    assertSameSessionKind(step.begun.kind, request, needs.publicUrl)
    const replaces = step.begun.kind === 'browser' ? needs.cookie.read(request) : undefined
    const { deviceId } = attemptOriginOf(needs, request, step.user.id)
    const answer = { proof: body.proof, device: deviceOf(request), deviceId, replaces }
    return sendTokens(needs, reply, await answerChallenge(needs, step, answer))
  }),
  route(api.passkeyChallengeOptions, open('the challenge identifies the user'), async ({ body, request }) => {
    const step = await findSecondStep(needs, body.id)
    assertSameSessionKind(step.begun.kind, request, needs.publicUrl)
    return { ...(await passkeyOptionsForStep(needs, step)) }
  }),
]

const passkeyRoutes = (needs: SignInRouteDeps): Route[] => [
  route(api.passkeyLoginOptions, open('sign-in without a user name'), async () => {
    const { id, options } = await beginPasskeyLogin(needs)
    return { id, options: { ...options } }
  }),
  route(api.passkeyLogin, open('sign-in: the passkey identifies the user'), async ({ body, request, reply }) => {
    assertNotFromForeignPage(request, needs.publicUrl)
    const { id, response, remember: isRemembered } = body
    const replaces = needs.cookie.read(request)
    const attempt = { id, response, isRemembered, device: deviceOf(request), replaces }
    return sendTokens(needs, reply, await passkeyLogin(needs, attempt))
  }),
]

/** The doors of the second step of a sign-in, and of signing in by passkey alone. */
export const secondStepRoutes = (needs: SignInRouteDeps): readonly Route[] => [
  ...challengeRoutes(needs),
  ...passkeyRoutes(needs),
]
