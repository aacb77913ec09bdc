import type { FastifyRequest } from 'fastify'
import * as api from '#api/second-factors.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { canByHand, signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { FactorDeps, SignedIn } from './factor-deps.ts'
import { attemptOriginOf } from './factor-attempts.ts'
import { addPasskey, beginAddPasskey, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { readFactors } from './read-factors.ts'
import { renewCodes } from './recovery-codes/recovery-codes.ts'
import { resetUserFactors } from './reset-user-factors.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp/set-up-totp.ts'
import { beginReauthentication, reauthenticate } from '#server/identity/reauthentication/reauthenticate.ts'

/** What the doors of one's own factors need. */
export type AccountDeps = FactorDeps & { readonly cookie: RefreshCookie }

type AccountRequest = { readonly actor: Actor; readonly request: FastifyRequest }

/** Whoever is signed in with a session of their own. */
function signedInAs(needs: AccountDeps, { actor, request }: AccountRequest): SignedIn {
  if (actor.type !== 'user' || actor.sessionId === null) throw new Problem('token-missing', 'Sign in to do this.')
  const { userId, sessionId } = actor
  return { userId, sessionId, ...attemptOriginOf(needs, request, userId) }
}

/** Whoever is signed in and has proven it a short while ago. */
async function requireReauthenticatedUser(needs: AccountDeps, asking: AccountRequest): Promise<SignedIn> {
  const who = signedInAs(needs, asking)
  await requireReauthentication(needs, asking.actor)
  return who
}

const totpRoutes = (needs: AccountDeps): Route[] => [
  route(api.beginTotp, signedInByHand, async (asked) =>
    beginTotp(needs, await requireReauthenticatedUser(needs, asked)),
  ),
  route(api.confirmTotp, signedInByHand, async (asked) => ({
    recoveryCodes: await confirmTotp(needs, await requireReauthenticatedUser(needs, asked), asked.body.code),
  })),
  route(api.removeTotp, signedInByHand, async (asked) =>
    removeTotp(needs, await requireReauthenticatedUser(needs, asked)),
  ),
  route(api.newRecoveryCodes, signedInByHand, async (asked) => ({
    recoveryCodes: await renewCodes(needs, await requireReauthenticatedUser(needs, asked)),
  })),
]

const passkeyRoutes = (needs: AccountDeps): Route[] => [
  route(api.passkeyRegistrationOptions, signedInByHand, async (asked) => ({
    ...(await beginAddPasskey(needs, await requireReauthenticatedUser(needs, asked))),
  })),
  route(api.addPasskey, signedInByHand, async (asked) =>
    addPasskey(needs, await requireReauthenticatedUser(needs, asked), {
      name: asked.body.name,
      response: asked.body.response,
    }),
  ),
  route(api.renamePasskey, signedInByHand, async (asked) =>
    renamePasskey(needs, signedInAs(needs, asked), { id: asked.params.passkey, name: asked.body.name }),
  ),
  route(api.removePasskey, signedInByHand, async (asked) =>
    removePasskey(needs, await requireReauthenticatedUser(needs, asked), asked.params.passkey),
  ),
]

/** The doors of one's own second factors, and of proving once more who one is. */
export const factorRoutes = (needs: AccountDeps): readonly Route[] => [
  route(api.readFactors, signedInByHand, async (asked) => readFactors(needs, signedInAs(needs, asked))),
  ...totpRoutes(needs),
  ...passkeyRoutes(needs),
  route(api.removeFactorsOf, canByHand('users:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(needs, actor)
    return resetUserFactors(needs, { actor, address: request.ip }, params.user)
  }),
  route(api.stepUpOptions, signedInByHand, async (asked) => {
    const { methods, passkey, providers } = await beginReauthentication(needs, signedInAs(needs, asked))
    return { methods, passkey: passkey && { ...passkey }, providers: [...providers] }
  }),
  route(api.stepUp, signedInByHand, async (asked) => reauthenticate(needs, signedInAs(needs, asked), asked.body.proof)),
]
