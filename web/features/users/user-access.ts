import { sameJson } from '#domain/shared/json.ts'

export type UserAttributes = { readonly [name: string]: string | string[] }

export type Rights = { readonly roles: readonly string[]; readonly profile: UserAttributes }

export type RightsChanges = { readonly roles?: string[]; readonly profile?: UserAttributes }

/** Undefined if nothing changed. Sends changed attributes only, because each may need more permissions. */
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

/** A missing attribute is empty. */
export const attributeText = (notes: UserAttributes, name: string): string | string[] => {
  const note = (Object.hasOwn(notes, name) ? notes[name] : undefined) ?? ''
  return typeof note !== 'string' && note.length === 0 ? '' : note
}

/** A link with a code; links in notices only open a page. */
export const linkInEmail = (text: string): string | undefined =>
  /^\s*(https?:\/\/\S+[?&]code=[\w-]+\S*)\s*$/m.exec(text)?.[1]
