import { sameJson } from '#domain/shared/json.ts'

/** What is noted about somebody: texts under each name. */
export type Notes = { readonly [name: string]: string | string[] }

/** What somebody is given. */
export type Rights = { readonly roles: readonly string[]; readonly profile: Notes }

/** What of it is to be changed. */
export type RightsChanges = { readonly roles?: string[]; readonly profile?: Notes }

/** What was changed; undefined when nothing was. Only notes that are other ones are sent: each may need more rights. */
export function changedRights(before: Rights, after: Rights): RightsChanges | undefined {
  const isOtherRole = !sameJson(before.roles.toSorted(), after.roles.toSorted())
  const profile = changedNotes(before.profile, after.profile)
  if (!isOtherRole && Object.keys(profile).length === 0) return undefined
  return {
    ...(isOtherRole && { roles: [...after.roles] }),
    ...(Object.keys(profile).length > 0 && { profile }),
  }
}

function changedNotes(before: Notes, after: Notes): Notes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !sameJson(noteOf(before, name), noteOf(after, name)))
  return Object.fromEntries(changed.map((name) => [name, noteOf(after, name)]))
}

/** The value of one attribute; one that is missing is empty, which removes it. */
export const noteOf = (notes: Notes, name: string): string | string[] => {
  const note = (Object.hasOwn(notes, name) ? notes[name] : undefined) ?? ''
  return typeof note !== 'string' && note.length === 0 ? '' : note
}
