import type { z } from 'zod'
import type { readFactors as endpoint } from '#api/second-factors.ts'
import {
  lastAuthenticatedAt,
  REAUTHENTICATION_LIFETIME_MS,
} from '#server/identity/reauthentication/require-reauthentication.ts'
import type { FactorDeps, SignedIn } from './factor-deps.ts'
import { listPasskeys } from './passkeys/passkeys-store.ts'
import { findEnrolledFactors, findFactorUser } from './store.ts'

/** What somebody has set up. */
export async function readFactors(
  { database, clock }: FactorDeps,
  { userId, sessionId }: SignedIn,
): Promise<z.input<typeof endpoint.answer>> {
  const held = await findEnrolledFactors(database.read, userId)
  const user = await findFactorUser(database.read, userId)
  const passkeys = await listPasskeys(database.read, userId)
  const provenAt = (await lastAuthenticatedAt(database.read, sessionId)) ?? clock()
  return {
    hasPassword: user !== undefined && user.passwordHash !== '',
    totp: held.hasTotp,
    recoveryCodesLeft: held.recoveryCodesLeft,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt })),
    provenAt: provenAt.toISOString(),
    provenForSeconds: Math.max(
      0,
      Math.floor((provenAt.getTime() + REAUTHENTICATION_LIFETIME_MS - clock().getTime()) / 1000),
    ),
  }
}
