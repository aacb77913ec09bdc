import type { UserId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { dropSecondSteps } from './challenges-store.ts'
import { deleteAllPasskeys } from './passkeys/passkeys-store.ts'
import { deleteTotp, findFactorUser, forgetPassword, replaceRecoveryCodes } from './store.ts'

/**
 * Removes all factors of a user within a larger transaction. Also deletes a password that was only acceptable with a
 * second factor; the user sets a new one by email. Returns the remaining sign-in methods.
 */
export async function dropAllFactors({ db }: Transaction, userId: UserId): Promise<'password' | 'no-password'> {
  await deleteTotp(db, userId)
  await deleteAllPasskeys(db, userId)
  await replaceRecoveryCodes(db, userId, [])
  await dropSecondSteps(db, userId)
  const user = await findFactorUser(db, userId)
  if (user?.isPasswordShort === true) await forgetPassword(db, userId)
  return user === undefined || user.isPasswordShort || user.passwordHash === '' ? 'no-password' : 'password'
}
