import { randomBytes } from 'node:crypto'
import { hasSecondFactor } from '#domain/sessions/challenge.ts'
import {
  RECOVERY_CODE_BYTES,
  RECOVERY_CODE_COUNT,
  readRecoveryCode,
  recoveryCodeFrom,
} from '#domain/sessions/recovery-code.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import type { Reader } from '#server/database/database.ts'
import type { SignedIn, FactorNeeds } from './factor-needs.ts'
import { hashRecoveryCode } from './recovery-code-hash.ts'
import { findFactorsHeld, replaceRecoveryCodes } from './store.ts'
import { tellUser } from './tell-user.ts'

/** New codes, to be shown once, and what is stored of them. */
export type FreshCodes = { readonly codes: readonly string[]; readonly hashes: readonly string[] }

/** Makes codes. It takes a moment on purpose, so it is done before any transaction begins. */
export async function makeCodes(userId: UserId): Promise<FreshCodes> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => recoveryCodeFrom(randomBytes(RECOVERY_CODE_BYTES)))
  const hashes: string[] = []
  // One after the other: the few threads that do it serve everybody.
  for (const code of codes) hashes.push(await hashRecoveryCode(userId, readRecoveryCode(code) ?? code))
  return { codes, hashes }
}

/** Codes for whoever is about to turn on their first factor. */
export async function makeFirstCodes(needs: FactorNeeds, userId: UserId): Promise<FreshCodes | undefined> {
  return hasSecondFactor(await findFactorsHeld(needs.database.read, userId)) ? undefined : makeCodes(userId)
}

/** Stores the first codes, before the factor itself; the codes to show, none when another factor was faster. */
export async function storeFirstCodes(
  db: Reader,
  needs: FactorNeeds,
  who: SignedIn,
  fresh: FreshCodes | undefined,
): Promise<string[]> {
  if (fresh === undefined || hasSecondFactor(await findFactorsHeld(db, who.userId))) return []
  await storeCodes(db, needs, who, fresh)
  return [...fresh.codes]
}

/** Ten new codes; the old ones stop working. */
export async function renewCodes(needs: FactorNeeds, who: SignedIn): Promise<string[]> {
  const fresh = await makeCodes(who.userId)
  await needs.database.write(async (transaction) => {
    const { db } = transaction
    if (!hasSecondFactor(await findFactorsHeld(db, who.userId))) {
      throw new Problem('forbidden', 'Recovery codes stand in for a second factor. Set up one first.')
    }
    await storeCodes(db, needs, who, fresh)
    await tellUser(transaction, needs, who.userId, 'new recovery codes were made; the old ones stopped working.')
  })
  return [...fresh.codes]
}

async function storeCodes(db: Reader, needs: FactorNeeds, { userId, address }: SignedIn, { hashes }: FreshCodes) {
  await replaceRecoveryCodes(db, userId, hashes)
  await writeAudit(db, needs, { kind: 'recovery-codes-made', userId, address })
}

/** Recovery codes go with the last factor they stood in for. */
export async function dropCodesWithLastFactor(db: Reader, userId: UserId): Promise<void> {
  if (!hasSecondFactor(await findFactorsHeld(db, userId))) await replaceRecoveryCodes(db, userId, [])
}
