import type { FastifyRequest } from 'fastify'
import * as api from '#api/second-factors.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { canByHand, signedInByHand } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import type { RefreshCookie } from '#server/sessions/refresh-cookie.ts'
import { requireRecentProof } from '#server/sessions/require-proof.ts'
import type { FactorNeeds, SignedIn } from './factor-needs.ts'
import { placeOf } from './factor-tries.ts'
import { addPasskey, askForPasskey, removePasskey, renamePasskey } from './passkeys.ts'
import { readFactors } from './read-factors.ts'
import { renewCodes } from './recovery-codes.ts'
import { removeFactorsOf } from './remove-factors-of.ts'
import { beginTotp, confirmTotp, removeTotp } from './set-up-totp.ts'
import { askToStepUp, stepUp } from './step-up.ts'

/** What the doors of one's own factors need. */
export type AccountNeeds = FactorNeeds & { readonly cookie: RefreshCookie }

type Asking = { readonly actor: Actor; readonly request: FastifyRequest }

/** Whoever is signed in with a session of their own. */
function signedInAs(needs: AccountNeeds, { actor, request }: Asking): SignedIn {
  if (actor.type !== 'user' || actor.sessionId === null) throw new Problem('token-missing', 'Sign in to do this.')
  const { userId, sessionId } = actor
  return { userId, sessionId, ...placeOf(needs, request, userId) }
}

/** Whoever is signed in and has proven it a short while ago. */
async function provenAs(needs: AccountNeeds, asking: Asking): Promise<SignedIn> {
  const who = signedInAs(needs, asking)
  await requireRecentProof(needs, asking.actor)
  return who
}

const totpRoutes = (needs: AccountNeeds): Route[] => [
  route(api.beginTotp, signedInByHand, async (asked) => beginTotp(needs, await provenAs(needs, asked))),
  route(api.confirmTotp, signedInByHand, async (asked) => ({
    recoveryCodes: await confirmTotp(needs, await provenAs(needs, asked), asked.body.code),
  })),
  route(api.removeTotp, signedInByHand, async (asked) => removeTotp(needs, await provenAs(needs, asked))),
  route(api.newRecoveryCodes, signedInByHand, async (asked) => ({
    recoveryCodes: await renewCodes(needs, await provenAs(needs, asked)),
  })),
]

const passkeyRoutes = (needs: AccountNeeds): Route[] => [
  route(api.passkeyRegistrationOptions, signedInByHand, async (asked) => ({
    ...(await askForPasskey(needs, await provenAs(needs, asked))),
  })),
  route(api.addPasskey, signedInByHand, async (asked) =>
    addPasskey(needs, await provenAs(needs, asked), { name: asked.body.name, response: asked.body.response }),
  ),
  route(api.renamePasskey, signedInByHand, async (asked) =>
    renamePasskey(needs, signedInAs(needs, asked), { id: asked.params.passkey, name: asked.body.name }),
  ),
  route(api.removePasskey, signedInByHand, async (asked) =>
    removePasskey(needs, await provenAs(needs, asked), asked.params.passkey),
  ),
]

/** The doors of one's own second factors, and of proving once more who one is. */
export const factorRoutes = (needs: AccountNeeds): readonly Route[] => [
  route(api.readFactors, signedInByHand, async (asked) => readFactors(needs, signedInAs(needs, asked))),
  ...totpRoutes(needs),
  ...passkeyRoutes(needs),
  route(api.removeFactorsOf, canByHand('users:manage'), async ({ actor, params, request }) => {
    await requireRecentProof(needs, actor)
    return removeFactorsOf(needs, { actor, address: request.ip }, params.user)
  }),
  route(api.stepUpOptions, signedInByHand, async (asked) => {
    const { methods, passkey, providers } = await askToStepUp(needs, signedInAs(needs, asked))
    return { methods, passkey: passkey && { ...passkey }, providers: [...providers] }
  }),
  route(api.stepUp, signedInByHand, async (asked) => stepUp(needs, signedInAs(needs, asked), asked.body.proof)),
]
