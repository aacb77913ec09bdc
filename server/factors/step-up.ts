import type { z } from 'zod'
import type { stepUp as endpoint } from '#api/second-factors.ts'
import { CHALLENGE_LIFETIME_MS, isProviderEnough, stepUpMethods } from '#domain/sessions/challenge.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import type { Reader } from '#server/database/database.ts'
import { hashOfSecret } from '#server/hashed-secret.ts'
import { recordProof } from '#server/sessions/require-proof.ts'
import { isPassword } from '#server/users/password-hash.ts'
import { insertChallenge, type OpenChallenge } from './challenges-store.ts'
import { checkProof } from './check-proof.ts'
import type { FactorNeeds, LinkedProvider, SignedIn } from './factor-needs.ts'
import { factorAttempt } from './factor-tries.ts'
import { requestOptions } from './passkey-dialog.ts'
import { listPasskeys } from './passkeys-store.ts'
import { findFactorsHeld, findFactorUser } from './store.ts'

type StepUpProof = z.output<typeof endpoint.body>['proof']

type Ways = {
  readonly methods: ReturnType<typeof stepUpMethods>
  readonly passkey: Awaited<ReturnType<typeof requestOptions>> | null
  readonly providers: readonly LinkedProvider[]
}

async function findWays(needs: FactorNeeds, { userId }: SignedIn): Promise<Pick<Ways, 'methods' | 'providers'>> {
  const { read } = needs.database
  const user = await findFactorUser(read, userId)
  const held = await findFactorsHeld(read, userId)
  return {
    methods: stepUpMethods(held, user !== undefined && user.passwordHash !== ''),
    providers: isProviderEnough(held) ? await needs.providersOf(read, userId) : [],
  }
}

/** How somebody can prove once more who they are, with what the browser asks their passkeys. */
export async function askToStepUp(needs: FactorNeeds, who: SignedIn): Promise<Ways> {
  const { database, clock, relyingParty } = needs
  const ways = await findWays(needs, who)
  if (!ways.methods.includes('passkey')) return { ...ways, passkey: null }
  const passkey = await requestOptions(relyingParty, await listPasskeys(database.read, who.userId))
  const now = clock()
  const challenge = {
    id: hashOfSecret(passkey.challenge),
    kind: 'step-up',
    userId: who.userId,
    sessionId: who.sessionId,
    data: null,
    expiresAt: new Date(now.getTime() + CHALLENGE_LIFETIME_MS),
  } as const
  await database.write(({ db }) => insertChallenge(db, challenge, now))
  return { ...ways, passkey }
}

/** Proves once more who one is; sensitive settings of this session then open for 15 minutes. */
export async function stepUp(needs: FactorNeeds, who: SignedIn, proof: StepUpProof): Promise<void> {
  const { userId, sessionId, address } = who
  await factorAttempt(needs, userId, who, async () => {
    const spend = await checkStepUp(needs, who, proof)
    const details = { method: proof.method }
    const isProven = await needs.database.write(async ({ db }) => {
      const isRight = spend !== undefined && (await spend(db))
      if (isRight) await recordProof(db, { sessionId, method: proof.method, now: needs.clock() })
      await writeAudit(db, needs, { kind: isRight ? 'stepped-up' : 'step-up-failed', userId, address, details })
      return isRight
    })
    if (isProven) return
    throw new Problem('login-refused', 'This is not right, or it was used before. Check it, or choose another way.')
  })
}

/** How the proof is used up when it is right and one of the ways open to this user; undefined when not. */
async function checkStepUp(
  needs: FactorNeeds,
  who: SignedIn,
  proof: StepUpProof,
): Promise<((db: Reader) => Promise<boolean>) | undefined> {
  const { userId, sessionId } = who
  const { methods } = await findWays(needs, who)
  if (!methods.includes(proof.method)) return undefined
  if (proof.method === 'password') {
    const user = await findFactorUser(needs.database.read, userId)
    return (await isPassword(user?.passwordHash, proof.password)) ? async () => true : undefined
  }
  const isMine = (asked: OpenChallenge): boolean => asked.sessionId === sessionId
  return (await checkProof(needs, { userId, passkeyKind: 'step-up', isMine }, proof))?.spend
}
