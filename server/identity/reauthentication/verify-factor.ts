import type { FactorProof } from '#api/second-factors.ts'
import { readRecoveryCode } from '#domain/sessions/second-factors.ts'
import type { SignInMethod } from '#domain/sessions/session.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import {
  type ChallengeKind,
  findChallenge,
  type OpenChallenge,
  consumeChallenge,
} from '#server/identity/factors/challenges-store.ts'
import type { FactorDeps } from '#server/identity/factors/factor-deps.ts'
import { challengeIn, readAuthentication, verifySignature } from '#server/identity/factors/passkeys/webauthn.ts'
import { findPasskey, markPasskeyUsed } from '#server/identity/factors/passkeys/passkeys-store.ts'
import { hashRecoveryCode } from '#server/identity/factors/recovery-codes/recovery-codes.ts'
import { openSecret, stepOfCode } from '#server/identity/factors/totp.ts'
import { findTotpSecret, consumeRecoveryCode, consumeTotpStep } from '#server/identity/factors/store.ts'

/**
 * A valid factor that hasn't been consumed yet. `spend` consumes it within the caller's transaction; it returns false
 * if another request has already consumed it, so that a code can't be used twice.
 */
export type VerifiedProof = {
  readonly method: Extract<SignInMethod, 'totp' | 'recovery-code' | 'passkey'>
  readonly spend: (db: Reader) => Promise<boolean>
}

export type ProofContext = {
  readonly userId: UserId
  readonly passkeyKind: ChallengeKind
  readonly isMine: (challenge: OpenChallenge) => boolean
}

export async function verifyProof(
  deps: FactorDeps,
  question: ProofContext,
  proof: FactorProof,
): Promise<VerifiedProof | undefined> {
  switch (proof.method) {
    case 'totp':
      return verifyTotp(deps, question.userId, proof.code)
    case 'recovery-code':
      return verifyRecoveryCode(deps, question.userId, proof.code)
    case 'passkey':
      return verifyPasskey(deps, question, proof.response)
  }
}

async function verifyTotp(deps: FactorDeps, userId: UserId, code: string): Promise<VerifiedProof | undefined> {
  const sealedSecret = await findTotpSecret(deps.database.read, userId)
  if (sealedSecret === undefined) return undefined
  const secret = openSecret(deps.keys, userId, sealedSecret)
  const step = secret === undefined ? undefined : stepOfCode(secret, code, deps.clock())
  if (step === undefined) return undefined
  return { method: 'totp', spend: (db) => consumeTotpStep(db, { userId, sealedSecret, step }) }
}

async function verifyRecoveryCode(deps: FactorDeps, userId: UserId, typed: string): Promise<VerifiedProof | undefined> {
  const code = readRecoveryCode(typed)
  if (code === undefined) return undefined
  const hash = await hashRecoveryCode(userId, code)
  // The statement that consumes the code also checks that it belongs to the user.
  return { method: 'recovery-code', spend: (db) => consumeRecoveryCode(db, userId, hash, deps.clock()) }
}

async function verifyPasskey(
  deps: FactorDeps,
  { userId, passkeyKind, isMine }: ProofContext,
  response: unknown,
): Promise<VerifiedProof | undefined> {
  const { database, clock, relyingParty } = deps
  const given = readAuthentication(response)
  const challenge = given && (await challengeIn(given))
  if (given === undefined || challenge === undefined) return undefined

  const requested = await findChallenge(database.read, passkeyKind, hashSecret(challenge), clock())
  const passkey = await findPasskey(database.read, given.id)
  if (requested === undefined || !isMine(requested) || passkey?.userId !== userId) return undefined
  const counter = await verifySignature(relyingParty, given, challenge, passkey)
  if (counter === undefined) return undefined
  return {
    method: 'passkey',
    spend: async (db) =>
      (await consumeChallenge(db, requested.id)) && markPasskeyUsed(db, passkey, { counter, now: clock() }),
  }
}
