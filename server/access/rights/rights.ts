import type { Profile } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { attributeValues } from '#domain/access/user-attributes.ts'
import { requiresSecondFactor } from '#domain/sessions/second-factor-policy.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import { profileIn, type RightsAccount } from '#server/platform/database/tables/user-role-columns.ts'
import type { AccessRulesCache } from './access-rules-cache.ts'

/** What somebody may do at this moment, and by what. */
export type Rights = {
  readonly roles: readonly RoleId[]
  readonly profile: Profile
  readonly grants: readonly Grant[]
  /** Whether the workspace demands a second factor of them. */
  readonly requiresSecondFactor: boolean
}

/** Says what somebody may do at this moment. */
export type RightsOf = (account: RightsAccount) => Promise<Rights>

/** What somebody is granted instead of what their roles say; undefined for whom it says nothing. */
export type OverrideGrants = (user: {
  readonly id: UserId
  readonly roles: readonly RoleId[]
}) => readonly Grant[] | undefined

/** What is special about how rights are found. */
export type RightsOptions = {
  readonly instead?: OverrideGrants | undefined
  /** Is told which version of the definitions there was when somebody was looked up. */
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
