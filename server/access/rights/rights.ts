import type { Profile } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { attributeValues } from '#domain/access/user.ts'
import { requiresSecondFactor } from '#domain/sessions/second-factors.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import { profileIn, type RightsAccount } from '#server/platform/database/tables/user-role-columns.ts'
import type { AccessRulesCache } from './access-rules-cache.ts'

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
