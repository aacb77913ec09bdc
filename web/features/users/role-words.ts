import type { RoleName } from '#domain/access/roles.ts'

/** The built-in roles as people say them, with what they are for. */
export const ROLE_WORDS: { readonly [Role in RoleName]: { readonly label: string; readonly about: string } } = {
  owner: { label: 'Owner', about: 'May do everything, people and settings included' },
  editor: { label: 'Editor', about: 'Sees, adds, changes, deletes and exports records' },
  viewer: { label: 'Viewer', about: 'Sees records, and changes nothing' },
}
