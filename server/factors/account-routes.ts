import type { FastifyRequest } from 'fastify'
import * as api from '#api/second-factors.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { signedInByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { requireRecentProof } from '#server/sessions/require-proof.ts'
import type { FactorNeeds, SignedIn } from './factor-needs.ts'
import { addPasskey, askForPasskey, removePasskey } from './passkeys.ts'
import { readFactors } from './read-factors.ts'
import { renewCodes } from './recovery-codes.ts'
import { beginTotp, confirmTotp, removeTotp } from './set-up-totp.ts'
import { askToStepUp, stepUp } from './step-up.ts'

/** Whoever is signed in with a session of their own. */
function signedInAs(actor: Actor, request: FastifyRequest): SignedIn {
  if (actor.type !== 'user' || actor.sessionId === null) throw new Problem('token-missing', 'Sign in to do this.')
  return { userId: actor.userId, sessionId: actor.sessionId, address: request.ip }
}

type Asking = { readonly actor: Actor; readonly request: FastifyRequest }

/** Whoever is signed in and has proven it a short while ago. */
async function provenAs(needs: FactorNeeds, { actor, request }: Asking): Promise<SignedIn> {
  const who = signedInAs(actor, request)
  await requireRecentProof(needs, actor)
  return who
}

const totpRoutes = (needs: FactorNeeds): Route[] => [
  route(api.beginTotp, signedInByHand, async (asked) => beginTotp(needs, await provenAs(needs, asked))),
  route(api.confirmTotp, signedInByHand, async (asked) => ({
    recoveryCodes: await confirmTotp(needs, await provenAs(needs, asked), asked.body.code),
  })),
  route(api.removeTotp, signedInByHand, async (asked) => removeTotp(needs, await provenAs(needs, asked))),
  route(api.newRecoveryCodes, signedInByHand, async (asked) => ({
    recoveryCodes: await renewCodes(needs, await provenAs(needs, asked)),
  })),
]

const passkeyRoutes = (needs: FactorNeeds): Route[] => [
  route(api.passkeyRegistrationOptions, signedInByHand, async (asked) => ({
    ...(await askForPasskey(needs, await provenAs(needs, asked))),
  })),
  route(api.addPasskey, signedInByHand, async (asked) =>
    addPasskey(needs, await provenAs(needs, asked), { name: asked.body.name, response: asked.body.response }),
  ),
  route(api.removePasskey, signedInByHand, async (asked) =>
    removePasskey(needs, await provenAs(needs, asked), asked.params.passkey),
  ),
]

/** The doors of one's own second factors, and of proving once more who one is. */
export const factorRoutes = (needs: FactorNeeds): readonly Route[] => [
  route(api.readFactors, signedInByHand, async ({ actor, request }) => readFactors(needs, signedInAs(actor, request))),
  ...totpRoutes(needs),
  ...passkeyRoutes(needs),
  route(api.stepUpOptions, signedInByHand, async ({ actor, request }) => {
    const { methods, passkey } = await askToStepUp(needs, signedInAs(actor, request))
    return { methods, passkey: passkey && { ...passkey } }
  }),
  route(api.stepUp, signedInByHand, async ({ actor, request, body }) =>
    stepUp(needs, signedInAs(actor, request), body.proof),
  ),
]
