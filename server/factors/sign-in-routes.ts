import type { FastifyRequest } from 'fastify'
import * as api from '#api/second-factors.ts'
import type { SessionKind } from '#domain/sessions/session.ts'
import { open } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { deviceOf, refuseForeignPages, refusePages, sendTokens } from '#server/sessions/routes.ts'
import type { RefreshCookie } from '#server/sessions/refresh-cookie.ts'
import { answerChallenge, askPasskeyOfStep, findSecondStep } from './answer-challenge.ts'
import type { FactorNeeds } from './factor-needs.ts'
import { placeOf } from './factor-tries.ts'
import { askAnyPasskey, passkeyLogin } from './passkey-login.ts'

/** What the doors of the second step and of passkeys need. */
export type SignInRouteNeeds = FactorNeeds & { readonly publicUrl: URL; readonly cookie: RefreshCookie }

/** The form a sign-in began in is kept: a program's is not finished by a page, nor a page's by another site. */
function refuseOtherForm(kind: SessionKind, request: FastifyRequest, publicUrl: URL): void {
  if (kind === 'api') refusePages(request, publicUrl)
  else refuseForeignPages(request, publicUrl)
}

const challengeRoutes = (needs: SignInRouteNeeds): Route[] => [
  route(api.answerChallenge, open('the challenge says who took the first step'), async ({ body, request, reply }) => {
    const step = await findSecondStep(needs, body.id)
    refuseOtherForm(step.begun.kind, request, needs.publicUrl)
    const replaces = step.begun.kind === 'browser' ? needs.cookie.read(request) : undefined
    const { deviceId } = placeOf(needs, request, step.user.id)
    const answer = { proof: body.proof, device: deviceOf(request), deviceId, replaces }
    return sendTokens(needs, reply, await answerChallenge(needs, step, answer))
  }),
  route(api.passkeyChallengeOptions, open('the challenge says who took the first step'), async ({ body, request }) => {
    const step = await findSecondStep(needs, body.id)
    refuseOtherForm(step.begun.kind, request, needs.publicUrl)
    return { ...(await askPasskeyOfStep(needs, step)) }
  }),
]

const passkeyRoutes = (needs: SignInRouteNeeds): Route[] => [
  route(api.passkeyLoginOptions, open('a way in that asks for no name'), async () => {
    const { id, options } = await askAnyPasskey(needs)
    return { id, options: { ...options } }
  }),
  route(api.passkeyLogin, open('a way in: the passkey says who'), async ({ body, request, reply }) => {
    refuseForeignPages(request, needs.publicUrl)
    const { id, response, remember: isRemembered } = body
    const replaces = needs.cookie.read(request)
    const attempt = { id, response, isRemembered, device: deviceOf(request), replaces }
    return sendTokens(needs, reply, await passkeyLogin(needs, attempt))
  }),
]

/** The doors of the second step of a sign-in, and of signing in by passkey alone. */
export const secondStepRoutes = (needs: SignInRouteNeeds): readonly Route[] => [
  ...challengeRoutes(needs),
  ...passkeyRoutes(needs),
]
