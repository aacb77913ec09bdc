import type { Profile } from './actor.ts'

/** Something the workspace notes about its people: one text, or several. */
export type ProfileField = { readonly name: string; readonly label: string; readonly many: boolean }

/** Most things that are noted about people. */
export const MAX_PROFILE_FIELDS = 50

/** Longest text that is noted, in characters: a region, a team, a number of the staff. */
export const MAX_PROFILE_TEXT = 200

/** Most texts under one name. */
export const MAX_PROFILE_TEXTS = 100

/** What is known of everybody without being noted. */
export const KNOWN_OF_EVERYBODY = ['email', 'name'] as const

/** Those of them that people choose: their name, and the email of those they invite. No right may follow from either. */
export const CHOSEN_BY_PEOPLE: ReadonlySet<string> = new Set(KNOWN_OF_EVERYBODY)

/** The names that may stand behind `@me.`. */
export const ownNamesIn = (fields: readonly ProfileField[]): readonly string[] => [
  ...KNOWN_OF_EVERYBODY,
  ...fields.map(({ name }) => name),
]

/** What `@me.<name>` means to somebody: every name there is, those without a note with no text. */
export function profileOf(
  fields: readonly ProfileField[],
  person: { readonly email: string; readonly name: string; readonly profile: Profile },
): Profile {
  // People name attributes as they like: `constructor` must not find what every object inherits.
  const noted = fields.map(
    ({ name }) => [name, (Object.hasOwn(person.profile, name) ? person.profile[name] : undefined) ?? []] as const,
  )
  return { ...Object.fromEntries(noted), email: person.email, name: person.name }
}
