import type { UserBody } from '#api/users.ts'
import { type Profile, userIdOf } from '#domain/access/actor.ts'
import type { AccessRules } from '#domain/access/policy.ts'
import { codeEnd, SINGLE_USE_CODE_BYTES } from '#domain/sessions/single-use-code.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { hashSecret, randomToken } from '#server/platform/crypto/hashed-secret.ts'
import { languageOfUser } from '#server/platform/mail/recipient-language.ts'
import { invitationEmail } from '#server/platform/mail/email-templates.ts'
import { assertAssignable, accessStateIn } from '#server/access/rights/grantable-roles.ts'
import { changedAttributes } from '#server/identity/users/check-attributes.ts'
import { assertAttributesEditable, assertKnownRoles, roleNames } from '#server/identity/users/check-rights.ts'
import { replaceCode } from './single-use-codes-store.ts'
import { foldEmail, assertDisplayName } from '#server/identity/users/create-user.ts'
import { showUser } from '#server/identity/users/show-user.ts'
import { findUser, insertUser, type StoredUser } from '#server/identity/users/store.ts'
import type { AuditActor, PeopleDeps } from '#server/identity/users/user-deps.ts'

/** Somebody as they are invited. */
export type InvitedUser = {
  readonly email: string
  readonly name: string
  readonly roles: readonly RoleId[]
  readonly profile?: Profile | undefined
}

/** Story: invites somebody. They have an account from now on, and no way into it but the link in their letter. */
export async function inviteUser(needs: PeopleDeps, by: AuditActor, guest: InvitedUser): Promise<UserBody> {
  const now = needs.clock().toISOString()
  const email = guest.email.trim()
  assertDisplayName(guest.name, email)
  const roles = [...new Set(guest.roles)].toSorted()
  const user = { id: needs.newId(), email, name: guest.name, roles, createdAt: now }
  return needs.database.write(async (transaction) => {
    const standing = await accessStateIn(needs, transaction)
    const { rules } = standing
    assertKnownRoles(rules, roles)
    assertAssignable(by.actor, standing, roles)
    const profile = changedAttributes(rules.profileFields, {}, guest.profile ?? {})
    assertAttributesEditable(by.actor, standing, Object.keys(profile))
    const isStored = await insertUser(transaction.db, {
      ...user,
      profile,
      emailFold: foldEmail(email),
      passwordHash: '',
      invitedAt: now,
    })
    if (!isStored) {
      throw new Problem('name-taken', 'A user or an invitation with this email address already exists.')
    }
    await queueInvitation(needs, by, transaction, { user, rules })
    const invited = { ...user, profile, passwordHash: '', isDisabled: false, isInvited: true, lastSeenAt: null }
    return showUser(invited, rules, false)
  })
}

/** Story: writes the invitation anew; the links in older letters stop working. */
export async function resendInvitation(needs: PeopleDeps, by: AuditActor, id: UserId): Promise<void> {
  await needs.database.write(async (transaction) => {
    const user = await findUser(transaction.db, id)
    if (user === undefined || !user.isInvited || user.isDisabled) {
      throw new Problem('not-found', 'There is no pending invitation with this ID.')
    }
    const standing = await accessStateIn(needs, transaction)
    assertAssignable(by.actor, standing, user.roles)
    await queueInvitation(needs, by, transaction, { user, rules: standing.rules })
  })
}

async function queueInvitation(
  needs: PeopleDeps,
  by: AuditActor,
  transaction: Transaction,
  { user, rules }: { readonly user: Pick<StoredUser, 'id' | 'email' | 'name' | 'roles'>; readonly rules: AccessRules },
): Promise<void> {
  const now = needs.clock()
  const code = randomToken(SINGLE_USE_CODE_BYTES)
  await replaceCode(transaction.db, {
    hash: hashSecret(code),
    purpose: 'invitation',
    userId: user.id,
    now,
    endsAt: codeEnd('invitation', now),
  })
  const inviter = by.actor.type === 'user' ? by.actor.name : 'The workspace owner'
  // Whoever comes new has chosen no language yet: the one who invites them knows them best.
  const byId = userIdOf(by.actor)
  const language = byId === null ? 'en' : await languageOfUser(transaction.db, byId)
  const guest = { to: user.email, name: user.name, language, inviter, code }
  await needs.mailer.post(transaction, invitationEmail(needs, guest))
  await writeAudit(transaction.db, needs, {
    kind: 'invited',
    userId: byId,
    aboutId: user.id,
    address: by.address,
    details: { role: user.roles.join(' '), roles: roleNames(rules, user.roles) },
  })
}
