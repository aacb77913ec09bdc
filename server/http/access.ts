import type { Permission } from '#domain/access/permission.ts'

/**
 * Who may knock at a route. What they then see or change is decided once more by the story, record by record:
 * `can('…')` means "holds it in at least one collection".
 */
export type Access =
  | { readonly type: 'open'; readonly because: string }
  | { readonly type: 'signed-in' }
  | { readonly type: 'can'; readonly permission: Permission }

/** For everybody, with the reason why. */
export const open = (because: string): Access => ({ type: 'open', because })

/** For whoever is signed in. */
export const signedIn: Access = { type: 'signed-in' }

/** For whoever holds the permission somewhere. */
export const can = (permission: Permission): Access => ({ type: 'can', permission })
