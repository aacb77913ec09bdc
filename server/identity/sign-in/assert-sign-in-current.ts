import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'

/** Identifies a password hash without revealing it. */
export const passwordFingerprint = (passwordHash: string): string => hashSecret(passwordHash)

export type SignInCheck = { readonly userId: UserId; readonly passwordMark?: string | undefined }

/**
 * Rejects a sign-in, in the transaction that completes it, if the user was deactivated or their password changed after
 * the first step. Revoking all sessions doesn't prevent this sign-in, because its session doesn't exist yet.
 */
export async function assertSignInCurrent(db: Reader, { userId, passwordMark }: SignInCheck): Promise<void> {
  const user = await db
    .selectFrom('users')
    .select(['password_hash', 'disabled_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const isSame = passwordMark === undefined || passwordMark === passwordFingerprint(user?.password_hash ?? '')
  if (user?.disabled_at === null && isSame) return
  throw new Problem('login-refused', 'Your account was changed while you were signing in. Sign in again.')
}
