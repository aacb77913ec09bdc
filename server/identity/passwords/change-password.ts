import { emailPlace } from '#server/identity/branding/workspace-branding.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { needsSecondFactor } from '#domain/sessions/password-rules.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { languageOfUser, passwordChangedEmail } from '#server/platform/mail/email-templates.ts'
import { endOtherSessions } from '#server/identity/sessions/session-deps.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { revokeTokensOfOldPassword } from '#server/identity/api-tokens/write-token.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { actingUser } from '#server/platform/http/access.ts'
import { endCodes } from '#server/identity/invitations/single-use-codes-store.ts'
import { type PasswordCheckDeps, assertSafePassword } from './leaked-passwords.ts'
import { hashPassword, isPassword } from './password-hash.ts'
import { findUser, withFactorAmong, type StoredUser, updateUser } from '#server/identity/users/store.ts'
import type { PeopleDeps } from '#server/identity/users/change-user.ts'

/** Counts wrong current passwords, to prevent guessing at an unattended browser. */
export const PASSWORD_ATTEMPT_RULES = {
  account: { freeFailures: 4, maxWaitSeconds: 900, resetsOnSuccess: true },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type PasswordDeps = PeopleDeps & PasswordCheckDeps & { readonly passwordTries: AttemptCounter<'account'> }

export type PasswordChange = { readonly current: string; readonly next: string; readonly keepApiTokens: boolean }

/**
 * Changes the password after checking the current one or a re-authentication. Revokes other sessions and notifies the
 * user.
 */
export async function changePassword(
  deps: PasswordDeps,
  { actor, address }: AuditActor,
  { current, next, keepApiTokens }: PasswordChange,
): Promise<void> {
  const { userId, sessionId } = actingUser(actor)
  const user = await findUser(deps.database.read, userId)
  if (user === undefined) throw new Problem('session-ended', 'This session has ended. Sign in again.')
  await assertCurrentPassword(deps, actor, user, current)
  const hasSecondFactor = (await withFactorAmong(deps.database.read, [userId])).has(userId)
  await assertSafePassword(deps, { email: user.email, name: user.name, password: next, hasSecondFactor }, 'next')
  const passwordHash = await hashPassword(next)

  const now = deps.clock()
  await deps.database.write(async (transaction) => {
    await updateUser(transaction.db, userId, { passwordHash, isPasswordShort: needsSecondFactor(next) })
    await endCodes(transaction.db, userId, now)
    await endOtherSessions(transaction, { userId, sessionId }, 'password-changed', now)
    await writeAudit(transaction.db, deps, { kind: 'password-changed', userId, address })
    const revokedTokens = keepApiTokens ? 0 : await revokeTokensOfOldPassword(transaction, deps, { userId, address })
    const reader = { to: user.email, name: user.name, language: await languageOfUser(transaction.db, userId) }
    const place = await emailPlace(transaction.db, deps)
    await deps.mailer.post(transaction, passwordChangedEmail(place, reader, { endedSessions: 'others', revokedTokens }))
  })
}

async function assertCurrentPassword(
  deps: PasswordDeps,
  actor: Actor,
  user: StoredUser,
  current: string,
): Promise<void> {
  if (current === '') return requireReauthentication(deps, actor)
  await deps.passwordTries.attempt({ account: user.id }, async () => {
    if (await isPassword(user.passwordHash, current)) return
    throw new Problem('login-refused', 'Your current password is incorrect. The password was not changed.')
  })
}
