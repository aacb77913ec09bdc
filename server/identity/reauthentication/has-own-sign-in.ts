import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findEnrolledFactors, findFactorUser } from '#server/identity/factors/store.ts'

/** Whether somebody can sign in by a password or a passkey of their own. */
export async function hasOwnSignIn(db: Reader, userId: UserId): Promise<boolean> {
  const user = await findFactorUser(db, userId)
  return (user !== undefined && user.passwordHash !== '') || (await findEnrolledFactors(db, userId)).passkeyCount > 0
}
