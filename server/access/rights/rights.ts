import type { Profile } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { attributeValues } from '#domain/access/user.ts'
import { requiresSecondFactor } from '#domain/sessions/second-factors.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import { profileIn, type RightsAccount } from '#server/platform/database/tables/user-role-columns.ts'
import type { AccessRulesCache } from './access-rules-cache.ts'

/** A user's current permissions and where they come from. */
export type Rights = {
  readonly roles: readonly RoleId[]
  readonly profile: Profile
  readonly grants: readonly Grant[]
  /** Whether the workspace demands a second factor of them. */
  readonly requiresSecondFactor: boolean
}

/** Computes a user's current permissions. */
export type RightsOf = (account: RightsAccount) => Promise<Rights>

/** Replaces the grants of a user's roles; undefined keeps them. */
export type OverrideGrants = (user: {
  readonly id: UserId
  readonly roles: readonly RoleId[]
}) => readonly Grant[] | undefined

/** What is special about how rights are found. */
export type RightsOptions = {
  readonly instead?: OverrideGrants | undefined
  /** Called with the version of the definitions at the time a user was looked up. */
  readonly noticeDefinitions?: (version: number) => void
}

/** Rights by what is stored, but for whom `instead` says something else. */
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
