import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/second-factors.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { recordAuthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import { findChallenge, insertChallenge, consumeChallenge } from '#server/identity/factors/challenges-store.ts'
import type { FactorDeps, SignedIn } from '#server/identity/factors/factor-deps.ts'
import { challengeIn, creationOptions, readRegistration, verifyNewPasskey } from './webauthn.ts'
import { deletePasskey, insertPasskey, listPasskeys, renamePasskeyOf } from './passkeys-store.ts'
import {
  afterRemoval,
  generateFirstCodes,
  storeFirstCodes,
} from '#server/identity/factors/recovery-codes/recovery-codes.ts'
import { findFactorUser } from '#server/identity/factors/store.ts'
import { notifyUser } from '#server/identity/factors/notify-user.ts'

export async function beginAddPasskey(
  deps: FactorDeps,
  { userId, sessionId }: SignedIn,
): Promise<Awaited<ReturnType<typeof creationOptions>>> {
  const { database, clock, relyingParty } = deps
  const user = await findFactorUser(database.read, userId)
  if (user === undefined) throw new Problem('session-ended', 'This session has ended. Sign in again.')
  const options = await creationOptions(relyingParty, user, await listPasskeys(database.read, userId))
  const now = clock()
  const challenge = {
    id: hashSecret(options.challenge),
    kind: 'passkey-registration',
    userId,
    sessionId,
    data: null,
    expiresAt: new Date(now.getTime() + CHALLENGE_LIFETIME_MS),
  } as const
  await database.write(({ db }) => insertChallenge(db, challenge, now))
  return options
}

const passkeyRejected = (): Problem =>
  new Problem('login-refused', 'The passkey response doesn’t match the challenge. Try adding the passkey again.')

export async function addPasskey(
  deps: FactorDeps,
  who: SignedIn,
  { name, response }: { readonly name: string; readonly response: unknown },
): Promise<{ readonly id: string; readonly recoveryCodes: string[] }> {
  const { userId, sessionId, address } = who
  const { database, clock, relyingParty } = deps
  const given = readRegistration(response)
  const challenge = given && (await challengeIn(given))
  if (given === undefined || challenge === undefined) throw passkeyRejected()
  const requested = await findChallenge(database.read, 'passkey-registration', hashSecret(challenge), clock())
  if (requested === undefined || requested.sessionId !== sessionId) throw passkeyRejected()
  const made = await verifyNewPasskey(relyingParty, given, challenge)
  if (made === undefined) throw passkeyRejected()

  const fresh = await generateFirstCodes(deps, userId)
  const passkey = { ...made, id: deps.newId(), userId, name, createdAt: clock().toISOString(), usedAt: null }
  const recoveryCodes = await database.write(async (transaction) => {
    const { db } = transaction
    if (!(await consumeChallenge(db, requested.id))) throw passkeyRejected()
    const codes = await storeFirstCodes(db, deps, who, fresh)
    await recordAuthentication(db, { sessionId, method: 'passkey', now: clock() })
    if (!(await insertPasskey(db, passkey))) throw new Problem('name-taken', 'This passkey was already added.')
    await writeAudit(db, deps, { kind: 'factor-added', userId, address, details: { factor: 'passkey', name } })
    await notifyUser(transaction, deps, userId, {
      en: 'a passkey was added.',
      de: 'Ein Passkey wurde hinzugefügt.',
    })
    return codes
  })
  return { id: passkey.id, recoveryCodes }
}

/** Renames a passkey. Doesn't require re-authentication, because it doesn't affect access. */
export async function renamePasskey(
  deps: FactorDeps,
  { userId, address }: SignedIn,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await deps.database.write(async ({ db }) => {
    const before = await renamePasskeyOf(db, { userId, id, name })
    if (before === undefined) throw new Problem('not-found', 'Passkey not found.')
    if (before === name) return
    await writeAudit(db, deps, { kind: 'passkey-renamed', userId, address, details: { from: before, to: name } })
  })
}

export async function removePasskey(deps: FactorDeps, { userId, address }: SignedIn, id: string): Promise<void> {
  await deps.database.write(async (transaction) => {
    const { db } = transaction
    if (!(await deletePasskey(db, userId, id))) throw new Problem('not-found', 'Passkey not found.')
    await afterRemoval(db, userId)
    await writeAudit(db, deps, { kind: 'factor-removed', userId, address, details: { factor: 'passkey' } })
    await notifyUser(transaction, deps, userId, { en: 'a passkey was removed.', de: 'Ein Passkey wurde entfernt.' })
  })
}
