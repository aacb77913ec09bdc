import type { UserId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { dropSecondSteps } from './challenges-store.ts'
import { deleteAllPasskeys } from './passkeys/passkeys-store.ts'
import { deleteTotp, findFactorUser, forgetPassword, replaceRecoveryCodes } from './store.ts'

/**
 * Takes every factor of a user away, as part of a larger write. A password that was enough only beside them is forgotten:
 * a new one is chosen by letter. Says what is left to sign in with.
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
