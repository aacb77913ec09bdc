import type { z } from 'zod'
import type { FactorProof } from '#api/second-factors.ts'
import { CHALLENGE_LIFETIME_MS, MAX_CHALLENGE_ATTEMPTS } from '#domain/sessions/second-factors.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import type { Device } from '#server/identity/sessions/session-deps.ts'
import { passwordFingerprint } from '#server/identity/sign-in/assert-sign-in-current.ts'
import { startSession, type Tokens } from '#server/identity/sessions/start-session.ts'
import {
  consumeChallenge,
  countAttempt,
  findChallenge,
  insertChallenge,
  type OpenChallenge,
} from './challenges-store.ts'
import { type VerifiedProof, verifyProof } from '#server/identity/reauthentication/verify-factor.ts'
import type { FactorAttemptCounter, FactorDeps } from './factor-deps.ts'
import { secondStepData } from './finish-first-step.ts'
import { requestOptions } from './passkeys/webauthn.ts'
import { listPasskeys } from './passkeys/passkeys-store.ts'
import { type FactorUser, findFactorUser } from './store.ts'
import { notifyUser } from './notify-user.ts'
import type { FastifyRequest } from 'fastify'
import type { UserId } from '#domain/shared/ids.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import type { AttemptOptions, AttemptSubjects } from '#server/identity/attempts/attempt-counter.ts'

/** `deviceId` is set if this user has signed in with this browser before. */
type AttemptOrigin = { readonly address: string; readonly deviceId: string | undefined }

export function attemptOriginOf(
  { cookie }: { readonly cookie: RefreshCookie },
  request: FastifyRequest,
  userId: UserId,
): AttemptOrigin {
  const known = cookie.knownDevices.read(request)
  return { address: request.ip, deviceId: known?.userId === userId ? known.id : undefined }
}

/** Runs an authentication attempt for this account: all factors and re-authentication by password share one counter. */
export function attemptFactor<Answer>(
  { factorTries }: Pick<FactorDeps, 'factorTries'>,
  userId: UserId,
  { address, deviceId, endsRow = true }: AttemptOrigin & AttemptOptions,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const keys: AttemptSubjects<FactorAttemptCounter> =
    deviceId === undefined
      ? { pair: [userId, clientAddressKey(address)], account: userId }
      : { device: [userId, deviceId] }
  return factorTries.attempt(keys, work, { endsRow })
}

export type SecondStep = {
  readonly challenge: OpenChallenge
  readonly user: FactorUser
  readonly begun: z.infer<typeof secondStepData>
}

const challengeExpired = (): Problem =>
  new Problem('gone', 'This sign-in has expired or had too many failed attempts. Start again.')

const proofRejected = (): Problem =>
  new Problem(
    'login-refused',
    'Verification failed: the code is wrong or was already used. Check it, or wait for the next code.',
  )

/** The pending sign-in for a challenge; expired and unknown challenges give the same error. */
export async function findSecondStep({ database, clock }: FactorDeps, id: string): Promise<SecondStep> {
  const challenge = await findChallenge(database.read, 'second-step', hashSecret(id), clock())
  if (challenge === undefined || challenge.userId === null || challenge.tries >= MAX_CHALLENGE_ATTEMPTS)
    throw challengeExpired()
  const user = await findFactorUser(database.read, challenge.userId)
  const begun = secondStepData.parse(challenge.data)
  if (user === undefined || user.isDisabled || passwordFingerprint(user.passwordHash) !== begun.passwordMark)
    throw challengeExpired()
  return { challenge, user, begun }
}

export type SecondStepAnswer = {
  readonly proof: FactorProof
  readonly device: Device
  readonly deviceId?: string | undefined
  readonly replaces?: string | undefined
}

/** The second step of a sign-in: a valid factor creates the session. */
export async function answerChallenge(deps: FactorDeps, step: SecondStep, answer: SecondStepAnswer): Promise<Tokens> {
  const { challenge, user, begun } = step
  const { database, clock } = deps
  const place = { ...answer.device, deviceId: answer.deviceId }
  const right = await attemptFactor(deps, user.id, place, async () => {
    const mayTry = await database.write(({ db }) => countAttempt(db, challenge.id, MAX_CHALLENGE_ATTEMPTS, clock()))
    if (!mayTry) throw challengeExpired()
    return verifyStep(deps, step, answer)
  })
  const methods = [...begun.methods, right.method]
  const { kind, isRemembered, passwordMark } = begun
  const start = { userId: user.id, passwordMark, kind, device: answer.device, methods, isRemembered }
  return startSession(deps, start, answer.replaces)
}

async function verifyStep(deps: FactorDeps, step: SecondStep, answer: SecondStepAnswer): Promise<VerifiedProof> {
  const { challenge, user } = step
  const question = {
    userId: user.id,
    passkeyKind: 'second-step-passkey',
    isMine: (requested: OpenChallenge) => requested.data === challenge.id,
  } as const
  const right = await verifyProof(deps, question, answer.proof)
  const isTaken = right !== undefined && (await completeStep(deps, step, answer, right))
  if (!isTaken) {
    await writeFailure(deps, step, answer)
    throw proofRejected()
  }
  return right
}

/** Consumes the factor's code and the challenge atomically. */
async function completeStep(
  deps: FactorDeps,
  { challenge, user }: SecondStep,
  { device }: SecondStepAnswer,
  right: VerifiedProof,
): Promise<boolean> {
  return deps.database.write(async (transaction) => {
    const { db } = transaction
    if (!(await right.spend(db))) return false
    // Another request has already consumed this challenge; the rollback keeps the code valid.
    if (!(await consumeChallenge(db, challenge.id))) throw challengeExpired()
    if (right.method === 'recovery-code') {
      await writeAudit(db, deps, { kind: 'recovery-code-used', userId: user.id, address: device.address })
      await notifyUser(transaction, deps, user.id, {
        en: 'someone signed in with one of your recovery codes.',
        de: 'Jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet.',
      })
    }
    return true
  })
}

async function writeFailure(deps: FactorDeps, { user }: SecondStep, { proof, device }: SecondStepAnswer) {
  const details = { step: 'second', method: proof.method }
  await deps.database.write(({ db }) =>
    writeAudit(db, deps, { kind: 'sign-in-failed', userId: null, aboutId: user.id, address: device.address, details }),
  )
}

export async function passkeyOptionsForStep(
  deps: FactorDeps,
  { challenge, user }: SecondStep,
): Promise<Awaited<ReturnType<typeof requestOptions>>> {
  const { database, clock, relyingParty } = deps
  const passkeys = await listPasskeys(database.read, user.id)
  if (passkeys.length === 0) throw new Problem('not-found', 'This account has no passkey. Use another factor.')
  const options = await requestOptions(relyingParty, passkeys)
  const now = clock()
  await database.write(({ db }) =>
    insertChallenge(
      db,
      {
        id: hashSecret(options.challenge),
        kind: 'second-step-passkey',
        userId: user.id,
        data: challenge.id,
        expiresAt: new Date(now.getTime() + CHALLENGE_LIFETIME_MS),
      },
      now,
    ),
  )
  return options
}
