import { sameJson } from '#domain/shared/json.ts'

/** What is noted about somebody: texts under each name. */
export type UserAttributes = { readonly [name: string]: string | string[] }

/** What somebody is given. */
export type Rights = { readonly roles: readonly string[]; readonly profile: UserAttributes }

/** What of it is to be changed. */
export type RightsChanges = { readonly roles?: string[]; readonly profile?: UserAttributes }

/** What was changed; undefined when nothing was. Only notes that are other ones are sent: each may need more rights. */
export function changedRights(before: Rights, after: Rights): RightsChanges | undefined {
  const isOtherRole = !sameJson(before.roles.toSorted(), after.roles.toSorted())
  const profile = changedAttributes(before.profile, after.profile)
  if (!isOtherRole && Object.keys(profile).length === 0) return undefined
  return {
    ...(isOtherRole && { roles: [...after.roles] }),
    ...(Object.keys(profile).length > 0 && { profile }),
  }
}

function changedAttributes(before: UserAttributes, after: UserAttributes): UserAttributes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !sameJson(attributeText(before, name), attributeText(after, name)))
  return Object.fromEntries(changed.map((name) => [name, attributeText(after, name)]))
}

/** The value of one attribute; one that is missing is empty, which removes it. */
export const attributeText = (notes: UserAttributes, name: string): string | string[] => {
  const note = (Object.hasOwn(notes, name) ? notes[name] : undefined) ?? ''
  return typeof note !== 'string' && note.length === 0 ? '' : note
}
