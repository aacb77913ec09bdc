import type { FastifyRequest } from 'fastify'
import type { Actor } from '#domain/access/actor.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Problem } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'

/** Finds out who comes without a token, by an address that was signed for their browser; undefined: it was not. */
export type ByAddress = (request: FastifyRequest) => Promise<Result<Actor, Problem> | undefined>

/**
 * Who may knock at a route. What they then see or change is decided once more by the story, record by record:
 * `can('…')` means "holds it in at least one collection". `byHand`: not with an API token.
 * Whoever looks as somebody else comes in where records are read; `whileSeen` says otherwise, either way.
 */
export type Access =
  | { readonly type: 'open'; readonly because: string; readonly whileSeen?: boolean }
  | { readonly type: 'signed-in'; readonly byHand?: true; readonly whileSeen?: boolean }
  | {
      readonly type: 'can'
      readonly permission: Permission
      readonly byHand?: true
      readonly byAddress?: ByAddress
    }

/** For everybody, with the reason why. */
export const open = (because: string): Extract<Access, { readonly type: 'open' }> => ({ type: 'open', because })

/** For whoever is signed in. */
export const signedIn: Access = { type: 'signed-in' }

/** For whoever holds the permission somewhere. */
export const can = (permission: Permission): Access => ({ type: 'can', permission })

/** The same, also for a browser that follows an address of ours by itself, and so without its token. */
export const canByAddress = (permission: Permission, byAddress: ByAddress): Access => ({
  type: 'can',
  permission,
  byAddress,
})

/** For whoever has signed in by hand: one's own account, security and tokens are out of reach for API tokens. */
export const signedInByHand = { type: 'signed-in', byHand: true } as const satisfies Access

/** The same for a permission whose use could give a token more than it has: users, roles, the outbox. */
export const canByHand = (permission: Permission): Access => ({ type: 'can', permission, byHand: true })

/** For whoever is signed in, but not for somebody who looks as them: what nobody but they themselves has seen so far. */
export const signedInWithoutImpersonation: Access = { type: 'signed-in', whileSeen: false }

/** What is about the session itself stays possible while somebody looks as another user: to go on, to stop, to sign out. */
export const allowWhileImpersonated = <Asked extends Exclude<Access, { readonly type: 'can' }>>(
  access: Asked,
): Access => ({
  ...access,
  whileSeen: true,
})
