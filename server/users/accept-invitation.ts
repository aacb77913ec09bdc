import type { ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { isCodeForm } from '#domain/sessions/single-use-code.ts'
import type { SessionKind } from '#domain/sessions/session.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import type { ChangeFeed } from '#server/changes/change-feed.ts'
import { announceNames } from '#server/changes/neighbours.ts'
import { hashOfSecret } from '#server/hashed-secret.ts'
import type { Device } from '#server/sessions/session-needs.ts'
import { startSession, type Tokens } from '#server/sessions/start-session.ts'
import { addressKey } from '#server/http/address-key.ts'
import type { TryCounter } from '#server/sessions/try-counter.ts'
import { refuseForeignName } from './create-user.ts'
import { findCodeUser, useCode } from './codes-store.ts'
import { type PasswordJudgeNeeds, refuseUnsafePassword } from './leaked-passwords.ts'
import { hashPassword } from './password-hash.ts'
import { completeInvitation, findUser, type StoredUser } from './store.ts'
import type { PeopleNeeds } from './user-needs.ts'

/** Wrong codes of emails. A code of 256 bits cannot be guessed, so a right one never waits for the wrong ones of others. */
export const CODE_TRIES = {
  address: { freeFailures: 20, longestWaitSeconds: 900 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** What invitations need besides: the counter of wrong codes, and the list of leaked passwords. */
export type InvitationNeeds = PeopleNeeds &
  PasswordJudgeNeeds & {
    readonly codeTries: TryCounter<'address'>
    /** Hears of new names: lists may be sorted by them. */
    readonly feed: ChangeFeed
  }

const invitationGone = (): Problem =>
  new Problem(
    'gone',
    'This invitation was used already, has been replaced by a newer one, or is older than 48 hours. Ask for a new one.',
  )

/** Story: whose invitation a link carries; for the page that asks for a name and a password. */
export async function readInvitation(needs: InvitationNeeds, code: string, address: string): Promise<StoredUser> {
  const sought = { hash: hashOfSecret(code), purpose: 'invitation', now: needs.clock() } as const
  const userId = isCodeForm(code) ? await findCodeUser(needs.database.read, sought) : undefined
  const user = userId === undefined ? undefined : await findUser(needs.database.read, userId)
  if (user?.isInvited === true && !user.isDisabled) return user
  await needs.codeTries.count({ address: addressKey(address) })
  throw invitationGone()
}

/** What somebody who was invited says on their way in. */
export type Acceptance = {
  readonly code: string
  readonly name: string
  readonly password: string
  readonly kind: SessionKind
  readonly device: Device
  readonly isRemembered: boolean
}

/** Story: an invitation is accepted, once; whoever did is signed in. */
export async function acceptInvitation(needs: InvitationNeeds, acceptance: Acceptance): Promise<Tokens> {
  const { code, name, password, kind, device, isRemembered } = acceptance
  const user = await readInvitation(needs, code, device.address)
  refuseForeignName(name, user.email)
  await refuseUnsafePassword(needs, { email: user.email, name, password })
  const passwordHash = await hashPassword(password)

  await needs.database.write(async (transaction) => {
    const { db } = transaction
    const isUsed = await useCode(db, { hash: hashOfSecret(code), purpose: 'invitation', now: needs.clock() })
    if (!isUsed || !(await completeInvitation(db, user.id, { name, passwordHash }))) throw invitationGone()
    await writeAudit(db, needs, { kind: 'invitation-accepted', userId: user.id, address: device.address })
    announceNames(transaction, needs.feed)
  })
  return startSession(needs, { userId: user.id, kind, device, methods: ['link'], isRemembered })
}
