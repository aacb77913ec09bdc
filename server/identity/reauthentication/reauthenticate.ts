import type { z } from 'zod'
import type { stepUp as endpoint } from '#api/second-factors.ts'
import { CHALLENGE_LIFETIME_MS, isProviderEnough, stepUpMethods } from '#domain/sessions/second-factors.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import { recordAuthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { isPassword } from '#server/identity/passwords/password-hash.ts'
import { insertChallenge, type OpenChallenge } from '#server/identity/factors/challenges-store.ts'
import { verifyProof } from './verify-factor.ts'
import type { FactorDeps, LinkedProvider, SignedIn } from '#server/identity/factors/factor-deps.ts'
import { attemptFactor } from '#server/identity/factors/answer-challenge.ts'
import { requestOptions } from '#server/identity/factors/passkeys/webauthn.ts'
import { listPasskeys } from '#server/identity/factors/passkeys/passkeys-store.ts'
import { findEnrolledFactors, findFactorUser } from '#server/identity/factors/store.ts'

type ReauthenticationProof = z.output<typeof endpoint.body>['proof']

type ReauthenticationMethods = {
  readonly methods: ReturnType<typeof stepUpMethods>
  readonly passkey: Awaited<ReturnType<typeof requestOptions>> | null
  readonly providers: readonly LinkedProvider[]
}

async function findMethods(
  deps: FactorDeps,
  { userId }: SignedIn,
): Promise<Pick<ReauthenticationMethods, 'methods' | 'providers'>> {
  const { read } = deps.database
  const user = await findFactorUser(read, userId)
  const held = await findEnrolledFactors(read, userId)
  return {
    methods: stepUpMethods(held, user !== undefined && user.passwordHash !== ''),
    providers: isProviderEnough(held) ? await deps.providersOf(read, userId) : [],
  }
}

export async function beginReauthentication(deps: FactorDeps, who: SignedIn): Promise<ReauthenticationMethods> {
  const { database, clock, relyingParty } = deps
  const ways = await findMethods(deps, who)
  if (!ways.methods.includes('passkey')) return { ...ways, passkey: null }
  const passkey = await requestOptions(relyingParty, await listPasskeys(database.read, who.userId))
  const now = clock()
  const challenge = {
    id: hashSecret(passkey.challenge),
    kind: 'step-up',
    userId: who.userId,
    sessionId: who.sessionId,
    data: null,
    expiresAt: new Date(now.getTime() + CHALLENGE_LIFETIME_MS),
  } as const
  await database.write(({ db }) => insertChallenge(db, challenge, now))
  return { ...ways, passkey }
}

/** Re-authenticates the user, which unlocks sensitive settings in this session for 15 minutes. */
export async function reauthenticate(deps: FactorDeps, who: SignedIn, proof: ReauthenticationProof): Promise<void> {
  const { userId, sessionId, address } = who
  await attemptFactor(deps, userId, who, async () => {
    const spend = await verifyReauthentication(deps, who, proof)
    const details = { method: proof.method }
    const isProven = await deps.database.write(async ({ db }) => {
      const isRight = spend !== undefined && (await spend(db))
      if (isRight) await recordAuthentication(db, { sessionId, method: proof.method, now: deps.clock() })
      await writeAudit(db, deps, { kind: isRight ? 'stepped-up' : 'step-up-failed', userId, address, details })
      return isRight
    })
    if (isProven) return
    throw new Problem(
      'login-refused',
      'Verification failed: the code is wrong or was already used. Check it, or choose another method.',
    )
  })
}

async function verifyReauthentication(
  deps: FactorDeps,
  who: SignedIn,
  proof: ReauthenticationProof,
): Promise<((db: Reader) => Promise<boolean>) | undefined> {
  const { userId, sessionId } = who
  const { methods } = await findMethods(deps, who)
  if (!methods.includes(proof.method)) return undefined
  if (proof.method === 'password') {
    const user = await findFactorUser(deps.database.read, userId)
    return (await isPassword(user?.passwordHash, proof.password)) ? async () => true : undefined
  }
  const isMine = (requested: OpenChallenge): boolean => requested.sessionId === sessionId
  return (await verifyProof(deps, { userId, passkeyKind: 'step-up', isMine }, proof))?.spend
}
