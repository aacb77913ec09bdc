import { z } from 'zod'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/challenge.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { recordAuthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import {
  dropChallengesOfSession,
  findChallengeOfSession,
  insertChallenge,
  consumeChallenge,
} from '#server/identity/factors/challenges-store.ts'
import type { FactorDeps, SignedIn } from '#server/identity/factors/factor-deps.ts'
import { attemptFactor } from '#server/identity/factors/factor-attempts.ts'
import {
  afterRemoval,
  generateFirstCodes,
  storeFirstCodes,
} from '#server/identity/factors/recovery-codes/recovery-codes.ts'
import { openSecret, sealSecret } from './sealed-secret.ts'
import { deleteTotp, findFactorUser, storeTotp } from '#server/identity/factors/store.ts'
import { notifyUser } from '#server/identity/factors/notify-user.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp-code.ts'

const setUpData = z.object({ sealedSecret: z.string() })

/** A new secret for an authenticator app. The one before, if any, goes on working until a code of this one was given. */
export async function beginTotp(
  needs: FactorDeps,
  { userId, sessionId }: SignedIn,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = newTotpSecret()
  const now = needs.clock()
  const data: z.infer<typeof setUpData> = { sealedSecret: sealSecret(needs.keys, userId, secret) }
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  const id = hashSecret(randomToken(32))
  const account = await needs.database.write(async ({ db }) => {
    await dropChallengesOfSession(db, 'totp-setup', sessionId)
    await insertChallenge(db, { id, kind: 'totp-setup', userId, sessionId, data, expiresAt }, now)
    return (await findFactorUser(db, userId))?.email ?? ''
  })
  return { secret, uri: totpUri(secret, account) }
}

/** Turns the authenticator on with a code of it. Gives recovery codes when it is the first factor. */
export async function confirmTotp(needs: FactorDeps, who: SignedIn, typed: string): Promise<string[]> {
  const { userId, sessionId, address } = who
  const { database, keys, clock } = needs
  const asked = await findChallengeOfSession(database.read, 'totp-setup', sessionId, clock())
  if (asked === undefined) throw new Problem('gone', 'Setup expired. Start again with a new secret.')
  const { sealedSecret } = setUpData.parse(asked.data)
  const checkCode = async (): Promise<number> => {
    const secret = openSecret(keys, userId, sealedSecret)
    const found = secret === undefined ? undefined : stepOfCode(secret, typed, clock())
    if (found !== undefined) return found
    throw new Problem('login-refused', 'Wrong code. Check the clock of your device, or use the next code.')
  }
  // The secret is new and one's own: knowing its code says nothing about guesses at the factors there are.
  const step = await attemptFactor(needs, userId, { ...who, endsRow: false }, checkCode)

  const fresh = await generateFirstCodes(needs, userId)
  return database.write(async (transaction) => {
    const { db } = transaction
    if (!(await consumeChallenge(db, asked.id))) throw new Problem('gone', 'This is already set up.')
    const codes = await storeFirstCodes(db, needs, who, fresh)
    await recordAuthentication(db, { sessionId, method: 'totp', now: clock() })
    await storeTotp(db, { userId, sealedSecret, confirmedAt: clock(), step })
    await writeAudit(db, needs, { kind: 'factor-added', userId, address, details: { factor: 'totp' } })
    await notifyUser(transaction, needs, userId, {
      en: 'an authenticator app was turned on.',
      de: 'Eine Authenticator-App wurde eingeschaltet.',
    })
    return codes
  })
}

/** Turns the authenticator off; nothing happens when it is. */
export async function removeTotp(needs: FactorDeps, { userId, address }: SignedIn): Promise<void> {
  await needs.database.write(async (transaction) => {
    const { db } = transaction
    if (!(await deleteTotp(db, userId))) return
    await afterRemoval(db, userId)
    await writeAudit(db, needs, { kind: 'factor-removed', userId, address, details: { factor: 'totp' } })
    await notifyUser(transaction, needs, userId, {
      en: 'the authenticator app was turned off.',
      de: 'Die Authenticator-App wurde ausgeschaltet.',
    })
  })
}
