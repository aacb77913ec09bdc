import type { UserBody } from '#api/users.ts'
import { userIdOf } from '#domain/access/actor.ts'
import type { RoleName } from '#domain/access/roles.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditKind, writeAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import { endAllSessions } from '#server/sessions/end-session.ts'
import { revokeAllTokens } from '#server/tokens/make-token.ts'
import { endCodes } from './codes-store.ts'
import { refuseMoreThanOwn } from './may-give-role.ts'
import { showUser } from './show-user.ts'
import { findUser, hasOtherOwner, listUsersWithFactor, type StoredUser, updateUser } from './store.ts'
import type { By, PeopleNeeds } from './user-needs.ts'

/** What may be changed of a user. */
export type UserChanges = { readonly role?: RoleName | undefined; readonly isDisabled?: boolean | undefined }

/**
 * Story: changes a role, or disables or enables a user. Changes of owners stand in one line, so two owners who demote
 * each other at the same time do not leave the workspace without one.
 */
export async function changeUser(needs: PeopleNeeds, by: By, id: UserId, changes: UserChanges): Promise<UserBody> {
  return needs.database.write(
    async (transaction) => {
      const user = await findUser(transaction.db, id)
      if (user === undefined) throw new Problem('not-found', 'There is no such user.')
      refuseMoreThanOwn(by.actor, user.role)
      refuseMoreThanOwn(by.actor, changes.role)
      await refuseToLoseLastOwner(transaction, user, changes)

      const { role, isDisabled } = changes
      if (role !== undefined && role !== user.role) await giveRole(needs, by, transaction, { user, role })
      if (isDisabled === true && !user.isDisabled) await disable(needs, by, transaction, user)
      if (isDisabled === false && user.isDisabled) await enable(needs, by, transaction, user)

      const changed = (await findUser(transaction.db, id)) ?? user
      return showUser(changed, (await listUsersWithFactor(transaction.db, id)).has(id))
    },
    { alone: 'owners' },
  )
}

async function refuseToLoseLastOwner({ db }: Transaction, user: StoredUser, changes: UserChanges): Promise<void> {
  const isOwner = user.role === 'owner' && !user.isDisabled && !user.isInvited
  const staysOwner = (changes.role ?? 'owner') === 'owner' && changes.isDisabled !== true
  if (!isOwner || staysOwner || (await hasOtherOwner(db, user.id))) return
  throw new Problem(
    'definition-invalid',
    'This is the last owner. Make somebody else an owner first; otherwise nobody could manage the workspace.',
  )
}

type Giving = { readonly user: StoredUser; readonly role: RoleName }

async function giveRole(needs: PeopleNeeds, by: By, { db }: Transaction, { user, role }: Giving): Promise<void> {
  await updateUser(db, user.id, { role })
  await note(needs, by, db, { kind: 'role-changed', aboutId: user.id, details: { from: user.role ?? '', to: role } })
}

/** From this moment nothing of theirs works: no password, session, token or link. */
async function disable(needs: PeopleNeeds, by: By, transaction: Transaction, { id }: StoredUser): Promise<void> {
  const now = needs.clock()
  await updateUser(transaction.db, id, { disabledAt: now.toISOString() })
  await endAllSessions(transaction, id, 'user-disabled', now)
  await revokeAllTokens(transaction, id, now)
  await endCodes(transaction.db, id, now)
  await note(needs, by, transaction.db, { kind: 'user-disabled', aboutId: id })
}

async function enable(needs: PeopleNeeds, by: By, { db }: Transaction, { id }: StoredUser): Promise<void> {
  await updateUser(db, id, { disabledAt: null })
  await note(needs, by, db, { kind: 'user-enabled', aboutId: id })
}

type Note = {
  readonly kind: AuditKind
  readonly aboutId: UserId
  readonly details?: { readonly [name: string]: string }
}

const note = (needs: PeopleNeeds, { actor, address }: By, db: Transaction['db'], what: Note): Promise<void> =>
  writeAudit(db, needs, { ...what, userId: userIdOf(actor), address })
