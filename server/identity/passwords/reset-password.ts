import { emailPlace } from '#server/identity/branding/workspace-branding.ts'
import type { Logger } from 'pino'
import { ADDRESS_RULE, type ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { needsSecondFactor } from '#domain/sessions/password-rules.ts'
import { codeExpiry, isCodeForm, SINGLE_USE_CODE_BYTES } from '#domain/sessions/tokens.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { revokeTokensOfOldPassword } from '#server/identity/api-tokens/write-token.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import {
  consumeCode,
  endCodes,
  findCodeUser,
  replaceCode,
} from '#server/identity/invitations/single-use-codes-store.ts'
import { endAllSessions } from '#server/identity/sessions/session-deps.ts'
import type { LoginAccount } from '#server/identity/sign-in/login.ts'
import type { PeopleDeps } from '#server/identity/users/change-user.ts'
import { foldEmail } from '#server/identity/users/create-user.ts'
import {
  findUser,
  findUserByEmail,
  type StoredUser,
  updateUser,
  withFactorAmong,
} from '#server/identity/users/store.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import { languageOfUser, passwordChangedEmail, passwordResetEmail } from '#server/platform/mail/email-templates.ts'
import { assertSafePassword, type PasswordCheckDeps } from './leaked-passwords.ts'
import { hashPassword } from './password-hash.ts'

export type ResetDeps = PeopleDeps &
  PasswordCheckDeps & {
    readonly codeTries: AttemptCounter<'address'>
    /** Clears failed sign-ins for an account whose owner proved access to their email. */
    readonly forgiveAccount: (account: LoginAccount) => Promise<void>
  }

/** Records a reset request and sends an email if the account exists. The response doesn't reveal whether it does. */
async function queueResetEmail(deps: PeopleDeps, email: string, address: string): Promise<void> {
  const user = await findUserByEmail(deps.database.read, foldEmail(email))
  const isWelcome = user !== undefined && !user.isDisabled && !user.isInvited
  const now = deps.clock()
  const code = randomToken(SINGLE_USE_CODE_BYTES)
  await deps.database.write(async (transaction) => {
    const about = isWelcome ? { aboutId: user.id } : {}
    await writeAudit(transaction.db, deps, { kind: 'reset-requested', userId: null, address, ...about })
    if (!isWelcome) return
    await replaceCode(transaction.db, {
      hash: hashSecret(code),
      purpose: 'reset',
      userId: user.id,
      now,
      endsAt: codeExpiry('reset', now),
    })
    const language = await languageOfUser(transaction.db, user.id)
    const place = await emailPlace(transaction.db, deps)
    await deps.mailer.post(transaction, passwordResetEmail(place, { to: user.email, name: user.name, language, code }))
  })
}

const resetLinkExpired = (): Problem =>
  new Problem(
    'gone',
    'This link was already used, was replaced by a newer one, or is older than one hour. Request a new one.',
  )

export type Reset = { readonly code: string; readonly password: string; readonly address: string }

/**
 * Sets a new password using an email link. Revokes all sessions and doesn't start a new one, because a second factor
 * may be required.
 */
export async function resetPassword(deps: ResetDeps, { code, password, address }: Reset): Promise<void> {
  const user = await userOfCode(deps, code, address)
  const hasSecondFactor = (await withFactorAmong(deps.database.read, [user.id])).has(user.id)
  await assertSafePassword(deps, { email: user.email, name: user.name, password, hasSecondFactor })
  const passwordHash = await hashPassword(password)

  const now = deps.clock()
  await deps.database.write(async (transaction) => {
    const isUsed = await consumeCode(transaction.db, { hash: hashSecret(code), purpose: 'reset', now })
    if (!isUsed) throw resetLinkExpired()
    await updateUser(transaction.db, user.id, { passwordHash, isPasswordShort: needsSecondFactor(password) })
    await endCodes(transaction.db, user.id, now)
    await endAllSessions(transaction, user.id, 'password-reset', now)
    await writeAudit(transaction.db, deps, { kind: 'password-reset', userId: user.id, address })
    const revokedTokens = await revokeTokensOfOldPassword(transaction, deps, { userId: user.id, address })
    const reader = { to: user.email, name: user.name, language: await languageOfUser(transaction.db, user.id) }
    const place = await emailPlace(transaction.db, deps)
    await deps.mailer.post(transaction, passwordChangedEmail(place, reader, { endedSessions: 'all', revokedTokens }))
  })
  await deps.forgiveAccount({ id: user.id, emailFold: foldEmail(user.email) })
}

async function userOfCode(deps: ResetDeps, code: string, address: string): Promise<StoredUser> {
  const sought = { hash: hashSecret(code), purpose: 'reset', now: deps.clock() } as const
  const userId: UserId | undefined = isCodeForm(code) ? await findCodeUser(deps.database.read, sought) : undefined
  const user = userId === undefined ? undefined : await findUser(deps.database.read, userId)
  if (user !== undefined && !user.isDisabled) return user
  await deps.codeTries.count({ address: clientAddressKey(address) })
  throw resetLinkExpired()
}

/** Limits reset requests. The per-account limit is deliberately loose, so that strangers can't lock the owner out. */
export const RESET_ATTEMPT_RULES = {
  pair: { freeFailures: 4, maxWaitSeconds: 900 },
  address: ADDRESS_RULE,
  account: { freeFailures: 10, maxWaitSeconds: 120 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type ResetRequests = {
  /** Accepts a reset request; throws only if the rate limit is exceeded. */
  readonly ask: (email: string, address: string) => Promise<void>
  readonly stop: () => Promise<void>
}

type ResetRequestDeps = PeopleDeps & {
  readonly log: Logger
  readonly resetTries: AttemptCounter<'pair' | 'address' | 'account'>
}

/** Responds before looking up the account, so that timing doesn't reveal whether it exists. */
export function createResetRequests(deps: ResetRequestDeps): ResetRequests {
  let underWay: Promise<void> = Promise.resolve()
  return {
    ask: async (email, address) => {
      const account = foldEmail(email)
      const from = clientAddressKey(address)
      await deps.resetTries.count({ pair: [account, from], address: from, account })
      underWay = underWay
        .then(() => queueResetEmail(deps, email, address))
        .then(undefined, (error: unknown) => deps.log.error({ err: error }, 'password reset email failed'))
    },
    stop: () => underWay,
  }
}
