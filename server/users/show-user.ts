import type { UserBody } from '#api/users.ts'
import type { Reader } from '#server/database/database.ts'
import { listUserRows, listUsersWithFactor, type StoredUser } from './store.ts'

/** A user as those who manage users see them. A role this version does not know is shown as the one that may least. */
export const showUser = (user: StoredUser, hasSecondFactor: boolean): UserBody => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role ?? 'viewer',
  createdAt: user.createdAt,
  isDisabled: user.isDisabled,
  hasSecondFactor,
  isInvited: user.isInvited,
})

/** Story: everybody who has an account or an invitation. */
export async function listUsers(read: Reader): Promise<UserBody[]> {
  const [users, withFactor] = await Promise.all([listUserRows(read), listUsersWithFactor(read)])
  return users.map((user) => showUser(user, withFactor.has(user.id)))
}
