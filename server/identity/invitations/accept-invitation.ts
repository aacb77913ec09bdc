import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { isCodeForm } from '#domain/sessions/tokens.ts'
import type { SessionKind } from '#domain/sessions/session.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { ChangeFeed } from '#server/platform/events/change-feed.ts'
import { publishNameChange } from '#server/platform/events/cluster-notifications.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import type { Device } from '#server/identity/sessions/session-deps.ts'
import { startSession, type Tokens } from '#server/identity/sessions/start-session.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { assertDisplayName } from '#server/identity/users/create-user.ts'
import { findCodeUser, consumeCode } from './single-use-codes-store.ts'
import { type PasswordCheckDeps, assertSafePassword } from '#server/identity/passwords/leaked-passwords.ts'
import { hashPassword } from '#server/identity/passwords/password-hash.ts'
import { completeInvitation, findUser, type StoredUser } from '#server/identity/users/store.ts'
import type { PeopleDeps } from '#server/identity/users/change-user.ts'

/**
 * Counts invalid codes from emails. A 256-bit code can't be guessed, so failures of other clients don't delay a valid
 * one.
 */
export const CODE_ATTEMPT_RULES = {
  address: { freeFailures: 20, maxWaitSeconds: 900 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type InvitationDeps = PeopleDeps &
  PasswordCheckDeps & {
    readonly codeTries: AttemptCounter<'address'>
    /** Notified of new user names, because lists can be sorted by them. */
    readonly feed: ChangeFeed
  }

const invitationExpired = (): Problem =>
  new Problem(
    'gone',
    'This invitation was already used, was replaced by a newer one, or is older than 48 hours. Ask for a new one.',
  )

export async function readInvitation(deps: InvitationDeps, code: string, address: string): Promise<StoredUser> {
  const sought = { hash: hashSecret(code), purpose: 'invitation', now: deps.clock() } as const
  const userId = isCodeForm(code) ? await findCodeUser(deps.database.read, sought) : undefined
  const user = userId === undefined ? undefined : await findUser(deps.database.read, userId)
  if (user?.isInvited === true && !user.isDisabled) return user
  await deps.codeTries.count({ address: clientAddressKey(address) })
  throw invitationExpired()
}

export type Acceptance = {
  readonly code: string
  readonly name: string
  readonly password: string
  readonly kind: SessionKind
  readonly device: Device
  readonly isRemembered: boolean
}

/** Accepts an invitation once and signs the user in. */
export async function acceptInvitation(deps: InvitationDeps, acceptance: Acceptance): Promise<Tokens> {
  const { code, name, password, kind, device, isRemembered } = acceptance
  const user = await readInvitation(deps, code, device.address)
  assertDisplayName(name, user.email)
  await assertSafePassword(deps, { email: user.email, name, password })
  const passwordHash = await hashPassword(password)

  await deps.database.write(async (transaction) => {
    const { db } = transaction
    const isUsed = await consumeCode(db, { hash: hashSecret(code), purpose: 'invitation', now: deps.clock() })
    if (!isUsed || !(await completeInvitation(db, user.id, { name, passwordHash }))) throw invitationExpired()
    await writeAudit(db, deps, { kind: 'invitation-accepted', userId: user.id, address: device.address })
    publishNameChange(transaction, deps.feed)
  })
  return startSession(deps, { userId: user.id, kind, device, methods: ['link'], isRemembered })
}
