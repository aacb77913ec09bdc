import type { Permission } from '#domain/access/permission.ts'

/**
 * Who may knock at a route. What they then see or change is decided once more by the story, record by record:
 * `can('…')` means "holds it in at least one collection". `byHand`: not with an API token.
 */
export type Access =
  | { readonly type: 'open'; readonly because: string }
  | { readonly type: 'signed-in'; readonly byHand?: true }
  | { readonly type: 'can'; readonly permission: Permission; readonly byHand?: true }

/** For everybody, with the reason why. */
export const open = (because: string): Access => ({ type: 'open', because })

/** For whoever is signed in. */
export const signedIn: Access = { type: 'signed-in' }

/** For whoever holds the permission somewhere. */
export const can = (permission: Permission): Access => ({ type: 'can', permission })

/** For whoever has signed in by hand: one's own account, security and tokens are out of reach for API tokens. */
export const signedInByHand: Access = { type: 'signed-in', byHand: true }

/** The same for a permission whose use could give a token more than it has: users, roles, the outbox. */
export const canByHand = (permission: Permission): Access => ({ type: 'can', permission, byHand: true })
