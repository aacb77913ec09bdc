import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import type { Device } from '#server/identity/sessions/session-deps.ts'
import { startSession, type Tokens } from '#server/identity/sessions/start-session.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import { insertChallenge } from '#server/identity/factors/challenges-store.ts'
import type { FactorDeps } from '#server/identity/factors/factor-deps.ts'
import { readAuthentication, requestOptions, verifySignature } from './webauthn.ts'
import { findPasskey, markPasskeyUsed, type StoredPasskey } from './passkeys-store.ts'
import { findFactorUser } from '#server/identity/factors/store.ts'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/second-factors.ts'
import type { KeyRing, SigningKey } from '#server/platform/crypto/key-ring.ts'

/**
 * The challenge for a passkey sign-in. It is signed with its expiry instead of stored, because anyone can request one.
 */
type PasskeyChallenge = { readonly ticket: string; readonly expiresAt: Date }

const sign = (key: SigningKey, text: string): Buffer =>
  createHmac('sha256', key.keyFor('passkey-ticket')).update(text).digest()

function createPasskeyChallenge({ current }: KeyRing, now: Date): PasskeyChallenge {
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS)
  const text = `${current.id}.${randomBytes(16).toString('base64url')}.${expiresAt.getTime()}`
  return { ticket: `${text}.${sign(current, text).toString('base64url')}`, expiresAt }
}

const challengeBytes = (ticket: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(ticket).digest())

/** Parses a challenge; undefined if it is invalid or expired. */
function parsePasskeyChallenge(keys: KeyRing, ticket: string, now: Date): PasskeyChallenge | undefined {
  const found = /^(([\w-]{1,40})\.[\w-]{22}\.(\d{1,15}))\.([\w-]{43})$/.exec(ticket)
  if (found === null) return undefined
  const [, text = '', keyId = '', expiresAtMs = '', signature = ''] = found
  const key = keys.findForSignature(keyId)
  if (key === undefined || !timingSafeEqual(sign(key, text), Buffer.from(signature, 'base64url'))) return undefined
  const expiresAt = new Date(Number(expiresAtMs))
  return now < expiresAt ? { ticket, expiresAt } : undefined
}

export async function beginPasskeyLogin({
  keys,
  clock,
  relyingParty,
}: FactorDeps): Promise<{ readonly id: string; readonly options: Awaited<ReturnType<typeof requestOptions>> }> {
  const { ticket } = createPasskeyChallenge(keys, clock())
  return { id: ticket, options: await requestOptions(relyingParty, [], challengeBytes(ticket)) }
}

export type PasskeyAttempt = {
  readonly id: string
  readonly response: unknown
  readonly device: Device
  readonly isRemembered: boolean
  readonly replaces?: string | undefined
}

const passkeyChallengeExpired = (): Problem => new Problem('gone', 'This sign-in has expired. Start again.')

const passkeyRejected = (): Problem =>
  new Problem('login-refused', 'Unknown passkey. Choose another one, or sign in with your password.')

/** Signs in with only a passkey: possession and user verification are both factors. */
export async function passkeyLogin(deps: FactorDeps, attempt: PasskeyAttempt): Promise<Tokens> {
  const { device, isRemembered } = attempt
  const ticket = parsePasskeyChallenge(deps.keys, attempt.id, deps.clock())
  if (ticket === undefined) throw passkeyChallengeExpired()
  const right = await verifyAnswer(deps, ticket, attempt.response)
  if (right === undefined) {
    // A signature can't be guessed, so failures of other clients don't delay a valid one.
    await deps.passkeyTries.count({ address: clientAddressKey(device.address) })
    const details = { method: 'passkey' }
    await deps.database.write(({ db }) =>
      writeAudit(db, deps, { kind: 'sign-in-failed', userId: null, address: device.address, details }),
    )
    throw passkeyRejected()
  }
  await consumeTicket(deps, ticket, right)
  const start = { userId: right.passkey.userId, kind: 'browser', device, methods: ['passkey'], isRemembered } as const
  return startSession(deps, start, attempt.replaces)
}

type RightAnswer = { readonly passkey: StoredPasskey; readonly counter: number }

async function verifyAnswer(
  { database, relyingParty }: FactorDeps,
  { ticket }: PasskeyChallenge,
  response: unknown,
): Promise<RightAnswer | undefined> {
  const given = readAuthentication(response)
  const passkey = given && (await findPasskey(database.read, given.id))
  const user = passkey && (await findFactorUser(database.read, passkey.userId))
  if (given === undefined || passkey === undefined || user === undefined || user.isDisabled) return undefined
  const challenge = Buffer.from(challengeBytes(ticket)).toString('base64url')
  const counter = await verifySignature(relyingParty, given, challenge, passkey)
  return counter === undefined ? undefined : { passkey, counter }
}

/** Prevents the challenge and the signature from being reused. */
async function consumeTicket(
  deps: FactorDeps,
  { ticket, expiresAt }: PasskeyChallenge,
  right: RightAnswer,
): Promise<void> {
  const now = deps.clock()
  await deps.database.write(async ({ db }) => {
    const used = { id: hashSecret(ticket), kind: 'passkey-login', data: null, expiresAt } as const
    if (!(await insertChallenge(db, used, now))) throw passkeyChallengeExpired()
    if (!(await markPasskeyUsed(db, right.passkey, { counter: right.counter, now }))) throw passkeyRejected()
  })
}
