import type { Profile } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { attributeNames, attributeValues } from '#domain/access/user.ts'
import { requiresSecondFactor } from '#domain/sessions/second-factors.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { profileIn, type RightsAccount } from '#server/platform/database/tables/user-role-columns.ts'
import type { AccessRulesCache } from './access-rules-cache.ts'
import { findRightsAccount, loadRoles, loadUserAttributes } from './roles-store.ts'

export type Rights = {
  readonly roles: readonly RoleId[]
  readonly profile: Profile
  readonly grants: readonly Grant[]
  readonly requiresSecondFactor: boolean
}

export type RightsOf = (account: RightsAccount) => Promise<Rights>

export type OverrideGrants = (user: {
  readonly id: UserId
  readonly roles: readonly RoleId[]
}) => readonly Grant[] | undefined

export type RightsOptions = {
  readonly instead?: OverrideGrants | undefined
  readonly noticeDefinitions?: (version: number) => void
}

export const createRightsResolver =
  (rules: AccessRulesCache, { instead = () => undefined, noticeDefinitions }: RightsOptions = {}): RightsOf =>
  async (account) => {
    noticeDefinitions?.(account.definitionsVersion)
    const { grantsOf, profileFields, secondFactor } = await rules.at(account.accessVersion)
    const { roles } = account
    return {
      roles,
      profile: attributeValues(profileFields, { ...account, profile: profileIn(account.profile) }),
      grants: instead(account) ?? grantsOf(roles),
      requiresSecondFactor: requiresSecondFactor(secondFactor, roles),
    }
  }

type UserWithRights = { readonly id: UserId; readonly name: string; readonly rights: Rights }

/** A user with their current permissions; undefined if deactivated. */
export async function findUserWithRights(
  db: Reader,
  rightsOf: RightsOf,
  id: UserId,
): Promise<UserWithRights | undefined> {
  const account = await findRightsAccount(db, id)
  return account && { id: account.id, name: account.name, rights: await rightsOf(account) }
}

export type KnownNames = { readonly roles: ReadonlySet<RoleId>; readonly ownNames: readonly string[] }

export async function knownNames(db: Reader): Promise<KnownNames> {
  const roles = await loadRoles(db)
  return { roles: new Set(roles.map(({ id }) => id)), ownNames: attributeNames(await loadUserAttributes(db)) }
}
