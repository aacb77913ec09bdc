import { createHash, randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import {
  RECOVERY_CODE_BYTES,
  RECOVERY_CODE_COUNT,
  hasSecondFactor,
  readRecoveryCode,
  recoveryCodeFrom,
} from '#domain/sessions/second-factors.ts'
import { PASSWORD_MIN_CHARACTERS } from '#domain/sessions/password-rules.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { FactorDeps, SignedIn } from '#server/identity/factors/factor-deps.ts'
import { findEnrolledFactors, findFactorUser, replaceRecoveryCodes } from '#server/identity/factors/store.ts'
import { notifyUser } from '#server/identity/factors/notify-user.ts'
import { promisify } from 'node:util'
import { RECOVERY_CODE_COST } from '#server/platform/crypto/hash-cost.ts'

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const HASH_BYTES = 32

/**
 * Hashes a recovery code. Its 60 bits are too few for a fast hash, so the hash is slow and salted (NIST SP 800-63B-4,
 * 3.1.2.2); the salt is per user, so that all ten codes are checked with one computation.
 */
export async function hashRecoveryCode(userId: UserId, code: string): Promise<string> {
  const salt = createHash('sha256').update(`recovery-code ${userId}`).digest()
  return (await scryptKey(code, salt, HASH_BYTES, RECOVERY_CODE_COST)).toString('base64url')
}

export type NewRecoveryCodes = { readonly codes: readonly string[]; readonly hashes: readonly string[] }

/** Hashing is deliberately slow, so it runs before any transaction starts. */
async function generateRecoveryCodes(userId: UserId): Promise<NewRecoveryCodes> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => recoveryCodeFrom(randomBytes(RECOVERY_CODE_BYTES)))
  const hashes: string[] = []
  // Sequential, because all users share the hashing threads.
  for (const code of codes) hashes.push(await hashRecoveryCode(userId, readRecoveryCode(code) ?? code))
  return { codes, hashes }
}

export async function generateFirstCodes(deps: FactorDeps, userId: UserId): Promise<NewRecoveryCodes | undefined> {
  return hasSecondFactor(await findEnrolledFactors(deps.database.read, userId))
    ? undefined
    : generateRecoveryCodes(userId)
}

/**
 * Stores the user's first codes before the factor itself. Returns the codes, or none if another factor was added
 * concurrently.
 */
export async function storeFirstCodes(
  db: Reader,
  deps: FactorDeps,
  who: SignedIn,
  fresh: NewRecoveryCodes | undefined,
): Promise<string[]> {
  if (fresh === undefined || hasSecondFactor(await findEnrolledFactors(db, who.userId))) return []
  await storeCodes(db, deps, who, fresh)
  return [...fresh.codes]
}

export async function renewCodes(deps: FactorDeps, who: SignedIn): Promise<string[]> {
  const fresh = await generateRecoveryCodes(who.userId)
  await deps.database.write(async (transaction) => {
    const { db } = transaction
    if (!hasSecondFactor(await findEnrolledFactors(db, who.userId))) {
      throw new Problem('forbidden', 'Recovery codes require a second factor. Set one up first.')
    }
    await storeCodes(db, deps, who, fresh)
    await notifyUser(transaction, deps, who.userId, {
      en: 'new recovery codes were created. The old ones no longer work.',
      de: 'Es wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
    })
  })
  return [...fresh.codes]
}

async function storeCodes(db: Reader, deps: FactorDeps, { userId, address }: SignedIn, { hashes }: NewRecoveryCodes) {
  await replaceRecoveryCodes(db, userId, hashes)
  await writeAudit(db, deps, { kind: 'recovery-codes-made', userId, address })
}

/**
 * Deletes the recovery codes when the last factor is removed. Users with a short password can't remove their last
 * factor.
 */
export async function afterRemoval(db: Reader, userId: UserId): Promise<void> {
  if (hasSecondFactor(await findEnrolledFactors(db, userId))) return
  if ((await findFactorUser(db, userId))?.isPasswordShort === true) {
    throw new Problem(
      'password-weak',
      `Your password has fewer than ${PASSWORD_MIN_CHARACTERS} characters, so it requires a second factor. Choose a longer password first.`,
    )
  }
  await replaceRecoveryCodes(db, userId, [])
}
