import type { Profile } from './actor.ts'

/** Something the workspace notes about its people: one text, or several. */
export type UserAttribute = { readonly name: string; readonly label: string; readonly many: boolean }

/** Most things that are noted about people. */
export const MAX_USER_ATTRIBUTES = 50

/** Longest text that is noted, in characters: a region, a team, a number of the staff. */
export const MAX_ATTRIBUTE_LENGTH = 200

/** Most texts under one name. */
export const MAX_ATTRIBUTE_VALUES = 100

/** Attributes every user has. */
export const BUILT_IN_ATTRIBUTES = ['email', 'name'] as const

/**
 * Those of them that people choose: their name, and the email of those they invite. No right may follow from either.
 */
export const SELF_CHOSEN_ATTRIBUTES: ReadonlySet<string> = new Set(BUILT_IN_ATTRIBUTES)

/** The names allowed after `@me.`. */
export const attributeNames = (fields: readonly UserAttribute[]): readonly string[] => [
  ...BUILT_IN_ATTRIBUTES,
  ...fields.map(({ name }) => name),
]

/** The values of `@me.<name>` for a user: every attribute, empty where not set. */
export function attributeValues(
  fields: readonly UserAttribute[],
  user: { readonly email: string; readonly name: string; readonly profile: Profile },
): Profile {
  // People name attributes as they like: `constructor` must not find what every object inherits.
  const entries = fields.map(
    ({ name }) => [name, (Object.hasOwn(user.profile, name) ? user.profile[name] : undefined) ?? []] as const,
  )
  return { ...Object.fromEntries(entries), email: user.email, name: user.name }
}

/**
 * A user's status in filters: can sign in, invited, deactivated, or without a second factor. A deactivated user has no
 * other status.
 */
export const USER_STATUSES = ['here', 'invited', 'locked-out', 'no-factor'] as const

/** One of these. */
export type UserStatus = (typeof USER_STATUSES)[number]
