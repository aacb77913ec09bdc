import type { FastifyRequest } from 'fastify'
import * as api from '#api/second-factors.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { canByHand, signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import {
  lastAuthenticatedAt,
  REAUTHENTICATION_LIFETIME_MS,
  recordAuthentication,
  requireReauthentication,
} from '#server/identity/reauthentication/require-reauthentication.ts'
import type { FactorDeps, SignedIn } from './factor-deps.ts'
import { attemptFactor, attemptOriginOf } from './answer-challenge.ts'
import { addPasskey, beginAddPasskey, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { afterRemoval, generateFirstCodes, renewCodes, storeFirstCodes } from './recovery-codes/recovery-codes.ts'
import { beginReauthentication, reauthenticate } from '#server/identity/reauthentication/reauthenticate.ts'
import { z } from 'zod'
import type { readFactors as endpoint } from '#api/second-factors.ts'
import { listPasskeys } from './passkeys/passkeys-store.ts'
import { deleteTotp, findEnrolledFactors, findFactorUser, rolesOf, storeTotp } from './store.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { endAllSessions } from '#server/identity/sessions/session-deps.ts'
import { accessStateIn, assertAssignable } from '#server/access/rights/grantable-roles.ts'
import { dropAllFactors } from './drop-all-factors.ts'
import { notifyUser } from './notify-user.ts'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/second-factors.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import {
  consumeChallenge,
  dropChallengesOfSession,
  findChallengeOfSession,
  insertChallenge,
} from './challenges-store.ts'
import { newTotpSecret, openSecret, sealSecret, stepOfCode, totpUri } from './totp.ts'

const setUpData = z.object({ sealedSecret: z.string() })

/** Creates a new authenticator secret. The previous one stays valid until a code from the new one is entered. */
async function beginTotp(
  deps: FactorDeps,
  { userId, sessionId }: SignedIn,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = newTotpSecret()
  const now = deps.clock()
  const data: z.infer<typeof setUpData> = { sealedSecret: sealSecret(deps.keys, userId, secret) }
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  const id = hashSecret(randomToken(32))
  const account = await deps.database.write(async ({ db }) => {
    await dropChallengesOfSession(db, 'totp-setup', sessionId)
    await insertChallenge(db, { id, kind: 'totp-setup', userId, sessionId, data, expiresAt }, now)
    return (await findFactorUser(db, userId))?.email ?? ''
  })
  return { secret, uri: totpUri(secret, account) }
}

/** Enables the authenticator with one of its codes. Returns recovery codes if it is the first factor. */
async function confirmTotp(deps: FactorDeps, who: SignedIn, typed: string): Promise<string[]> {
  const { userId, sessionId, address } = who
  const { database, keys, clock } = deps
  const requested = await findChallengeOfSession(database.read, 'totp-setup', sessionId, clock())
  if (requested === undefined) throw new Problem('gone', 'Setup expired. Start again with a new secret.')
  const { sealedSecret } = setUpData.parse(requested.data)
  const checkCode = async (): Promise<number> => {
    const secret = openSecret(keys, userId, sealedSecret)
    const found = secret === undefined ? undefined : stepOfCode(secret, typed, clock())
    if (found !== undefined) return found
    throw new Problem('login-refused', 'Wrong code. Check your device’s clock, or use the next code.')
  }
  // The secret is new, so a valid code must not reset failed attempts against existing factors.
  const step = await attemptFactor(deps, userId, { ...who, endsRow: false }, checkCode)

  const fresh = await generateFirstCodes(deps, userId)
  return database.write(async (transaction) => {
    const { db } = transaction
    if (!(await consumeChallenge(db, requested.id)))
      throw new Problem('gone', 'The authenticator app is already set up.')
    const codes = await storeFirstCodes(db, deps, who, fresh)
    await recordAuthentication(db, { sessionId, method: 'totp', now: clock() })
    await storeTotp(db, { userId, sealedSecret, confirmedAt: clock(), step })
    await writeAudit(db, deps, { kind: 'factor-added', userId, address, details: { factor: 'totp' } })
    await notifyUser(transaction, deps, userId, {
      en: 'an authenticator app was turned on.',
      de: 'Eine Authenticator-App wurde eingeschaltet.',
    })
    return codes
  })
}

async function removeTotp(deps: FactorDeps, { userId, address }: SignedIn): Promise<void> {
  await deps.database.write(async (transaction) => {
    const { db } = transaction
    if (!(await deleteTotp(db, userId))) return
    await afterRemoval(db, userId)
    await writeAudit(db, deps, { kind: 'factor-removed', userId, address, details: { factor: 'totp' } })
    await notifyUser(transaction, deps, userId, {
      en: 'the authenticator app was turned off.',
      de: 'Die Authenticator-App wurde ausgeschaltet.',
    })
  })
}

const NOTIFICATION = {
  password: {
    en: 'a user manager removed all your second factors, and you were signed out everywhere. You can sign in with your password only. Set up a second factor again.',
    de: 'In der Personenverwaltung wurden alle Ihre zweiten Faktoren entfernt, und Sie wurden überall abgemeldet. Sie können sich nur mit Ihrem Passwort anmelden. Richten Sie wieder einen zweiten Faktor ein.',
  },
  'no-password': {
    en: 'a user manager removed all your second factors, and you were signed out everywhere. You have no password: set one with “Forgot your password?” on the sign-in page, or sign in with a linked identity provider.',
    de: 'In der Personenverwaltung wurden alle Ihre zweiten Faktoren entfernt, und Sie wurden überall abgemeldet. Sie haben kein Passwort: Legen Sie eines mit „Passwort vergessen?“ auf der Anmeldeseite fest oder melden Sie sich über einen verbundenen Identitätsanbieter an.',
  },
} as const

/**
 * Resets the second factors of a user who lost them. Revokes all sessions, because the device may be stolen; the user
 * signs in with their password and is notified by email.
 */
async function resetUserFactors(deps: FactorDeps, { actor, address }: AuditActor, userId: UserId): Promise<void> {
  const byId = userIdOf(actor)
  if (byId === userId) throw new Problem('forbidden', 'Manage your own second factors in your security settings.')
  await deps.database.write(
    async (transaction) => {
      const { db } = transaction
      const user = await findFactorUser(db, userId)
      if (user === undefined) throw new Problem('not-found', 'User not found.')
      assertAssignable(actor, await accessStateIn(deps, transaction), await rolesOf(db, userId))
      const left = await dropAllFactors(transaction, userId)
      await endAllSessions(transaction, userId, 'factors-removed', deps.clock())
      const details = { factor: 'all' }
      await writeAudit(db, deps, { kind: 'factor-removed', userId: byId, aboutId: userId, address, details })
      await notifyUser(transaction, deps, userId, NOTIFICATION[left])
    },
    { alone: 'owners' },
  )
}

async function readFactors(
  { database, clock }: FactorDeps,
  { userId, sessionId }: SignedIn,
): Promise<z.input<typeof endpoint.response>> {
  const held = await findEnrolledFactors(database.read, userId)
  const user = await findFactorUser(database.read, userId)
  const passkeys = await listPasskeys(database.read, userId)
  const provenAt = (await lastAuthenticatedAt(database.read, sessionId)) ?? clock()
  return {
    hasPassword: user !== undefined && user.passwordHash !== '',
    totp: held.hasTotp,
    recoveryCodesLeft: held.recoveryCodesLeft,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt })),
    provenAt: provenAt.toISOString(),
    provenForSeconds: Math.max(
      0,
      Math.floor((provenAt.getTime() + REAUTHENTICATION_LIFETIME_MS - clock().getTime()) / 1000),
    ),
  }
}

export type AccountDeps = FactorDeps & { readonly cookie: RefreshCookie }

type AccountRequest = { readonly actor: Actor; readonly request: FastifyRequest }

function signedInAs(deps: AccountDeps, { actor, request }: AccountRequest): SignedIn {
  if (actor.type !== 'user' || actor.sessionId === null) throw new Problem('token-missing', 'Sign in to do this.')
  const { userId, sessionId } = actor
  return { userId, sessionId, ...attemptOriginOf(deps, request, userId) }
}

async function requireReauthenticatedUser(deps: AccountDeps, asking: AccountRequest): Promise<SignedIn> {
  const who = signedInAs(deps, asking)
  await requireReauthentication(deps, asking.actor)
  return who
}

const totpRoutes = (deps: AccountDeps): Route[] => [
  route(api.startTotp, signedInByHand, async (input) => beginTotp(deps, await requireReauthenticatedUser(deps, input))),
  route(api.confirmTotp, signedInByHand, async (input) => ({
    recoveryCodes: await confirmTotp(deps, await requireReauthenticatedUser(deps, input), input.body.code),
  })),
  route(api.removeTotp, signedInByHand, async (input) =>
    removeTotp(deps, await requireReauthenticatedUser(deps, input)),
  ),
  route(api.newRecoveryCodes, signedInByHand, async (input) => ({
    recoveryCodes: await renewCodes(deps, await requireReauthenticatedUser(deps, input)),
  })),
]

const passkeyRoutes = (deps: AccountDeps): Route[] => [
  route(api.passkeyRegistrationOptions, signedInByHand, async (input) => ({
    ...(await beginAddPasskey(deps, await requireReauthenticatedUser(deps, input))),
  })),
  route(api.addPasskey, signedInByHand, async (input) =>
    addPasskey(deps, await requireReauthenticatedUser(deps, input), {
      name: input.body.name,
      response: input.body.response,
    }),
  ),
  route(api.renamePasskey, signedInByHand, async (input) =>
    renamePasskey(deps, signedInAs(deps, input), { id: input.params.passkey, name: input.body.name }),
  ),
  route(api.removePasskey, signedInByHand, async (input) =>
    removePasskey(deps, await requireReauthenticatedUser(deps, input), input.params.passkey),
  ),
]

export const factorRoutes = (deps: AccountDeps): readonly Route[] => [
  route(api.readFactors, signedInByHand, async (input) => readFactors(deps, signedInAs(deps, input))),
  ...totpRoutes(deps),
  ...passkeyRoutes(deps),
  route(api.removeFactorsOf, canByHand('users:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(deps, actor)
    return resetUserFactors(deps, { actor, address: request.ip }, params.user)
  }),
  route(api.stepUpOptions, signedInByHand, async (input) => {
    const { methods, passkey, providers } = await beginReauthentication(deps, signedInAs(deps, input))
    return { methods, passkey: passkey && { ...passkey }, providers: [...providers] }
  }),
  route(api.stepUp, signedInByHand, async (input) => reauthenticate(deps, signedInAs(deps, input), input.body.proof)),
]
