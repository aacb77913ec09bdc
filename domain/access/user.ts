import type { Profile } from './actor.ts'

/** User attribute with a single value or several values. */
export type UserAttribute = { readonly name: string; readonly label: string; readonly many: boolean }

export const MAX_USER_ATTRIBUTES = 50

/** In characters. */
export const MAX_ATTRIBUTE_LENGTH = 200

export const MAX_ATTRIBUTE_VALUES = 100

export const BUILT_IN_ATTRIBUTES = ['email', 'name'] as const

/** Not usable in conditions: users choose their own name and the email of people they invite. */
export const SELF_CHOSEN_ATTRIBUTES: ReadonlySet<string> = new Set(BUILT_IN_ATTRIBUTES)

export const attributeNames = (fields: readonly UserAttribute[]): readonly string[] => [
  ...BUILT_IN_ATTRIBUTES,
  ...fields.map(({ name }) => name),
]

/** All attributes of a user for `@me.<name>`; attributes without a value are empty. */
export function attributeValues(
  fields: readonly UserAttribute[],
  user: { readonly email: string; readonly name: string; readonly profile: Profile },
): Profile {
  // Attribute names are free text, so `constructor` must not resolve to an inherited property.
  const entries = fields.map(
    ({ name }) => [name, (Object.hasOwn(user.profile, name) ? user.profile[name] : undefined) ?? []] as const,
  )
  return { ...Object.fromEntries(entries), email: user.email, name: user.name }
}

/** User status: active, invited, deactivated, or without a second factor. `deactivated` takes precedence. */
export const USER_STATUSES = ['here', 'invited', 'locked-out', 'no-factor'] as const

export type UserStatus = (typeof USER_STATUSES)[number]
