import type { UserBody } from '#api/users.ts'
import type { AccessRules } from '#domain/access/policy.ts'
import type { StoredUser } from './store.ts'

/** A user as those who manage users see them. */
export const showUser = (user: StoredUser, { roles }: AccessRules, hasSecondFactor: boolean): UserBody => ({
  id: user.id,
  email: user.email,
  name: user.name,
  roles: user.roles.map((id) => ({ id, name: roles.get(id)?.name ?? '' })),
  profile: Object.fromEntries(
    Object.entries(user.profile).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  ),
  createdAt: user.createdAt,
  isDisabled: user.isDisabled,
  hasSecondFactor,
  isInvited: user.isInvited,
  lastSeenAt: user.lastSeenAt,
})
