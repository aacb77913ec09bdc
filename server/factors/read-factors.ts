import type { z } from 'zod'
import type { readFactors as endpoint } from '#api/second-factors.ts'
import { lastProofAt, PROOF_LIFETIME_MS } from '#server/sessions/require-proof.ts'
import type { FactorNeeds, SignedIn } from './factor-needs.ts'
import { listPasskeys } from './passkeys-store.ts'
import { findFactorsHeld, findFactorUser } from './store.ts'

/** What somebody has set up. */
export async function readFactors(
  { database, clock }: FactorNeeds,
  { userId, sessionId }: SignedIn,
): Promise<z.input<typeof endpoint.answer>> {
  const held = await findFactorsHeld(database.read, userId)
  const user = await findFactorUser(database.read, userId)
  const passkeys = await listPasskeys(database.read, userId)
  const provenAt = (await lastProofAt(database.read, sessionId)) ?? clock()
  return {
    hasPassword: user !== undefined && user.passwordHash !== '',
    totp: held.hasTotp,
    recoveryCodesLeft: held.recoveryCodesLeft,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt })),
    provenAt: provenAt.toISOString(),
    provenForSeconds: Math.max(0, Math.floor((provenAt.getTime() + PROOF_LIFETIME_MS - clock().getTime()) / 1000)),
  }
}
