import type { Profile } from './actor.ts'

/** Information about users, with one value or several. */
export type UserAttribute = { readonly name: string; readonly label: string; readonly many: boolean }

export const MAX_USER_ATTRIBUTES = 50

/** In characters. */
export const MAX_ATTRIBUTE_LENGTH = 200

export const MAX_ATTRIBUTE_VALUES = 100

export const BUILT_IN_ATTRIBUTES = ['email', 'name'] as const

/** Users choose their own name, and the email of people they invite, so no access may depend on either. */
export const SELF_CHOSEN_ATTRIBUTES: ReadonlySet<string> = new Set(BUILT_IN_ATTRIBUTES)

export const attributeNames = (fields: readonly UserAttribute[]): readonly string[] => [
  ...BUILT_IN_ATTRIBUTES,
  ...fields.map(({ name }) => name),
]

/** All attributes of a user for `@me.<name>`; empty if not set. */
export function attributeValues(
  fields: readonly UserAttribute[],
  user: { readonly email: string; readonly name: string; readonly profile: Profile },
): Profile {
  // Attribute names are free text: `constructor` must not find an inherited property.
  const entries = fields.map(
    ({ name }) => [name, (Object.hasOwn(user.profile, name) ? user.profile[name] : undefined) ?? []] as const,
  )
  return { ...Object.fromEntries(entries), email: user.email, name: user.name }
}

/** Active, invited, deactivated, or without a second factor. A deactivated user has no other status. */
export const USER_STATUSES = ['here', 'invited', 'locked-out', 'no-factor'] as const

export type UserStatus = (typeof USER_STATUSES)[number]
