import type { FastifyRequest } from 'fastify'
import type { Actor } from '#domain/access/actor.ts'
import type { Permission } from '#domain/access/permission.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'

export type ByAddress = (request: FastifyRequest) => Promise<Result<Actor, Problem> | undefined>

/**
 * Access rule of a route; services also check each record. `can('…')` requires the permission in at least one
 * collection. `byHand` excludes API tokens. While impersonating, only routes that read records are allowed, unless
 * `whileSeen` overrides this.
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

/** Open to everyone; `because` states the reason. */
export const open = (because: string): Extract<Access, { readonly type: 'open' }> => ({ type: 'open', because })

export const signedIn: Access = { type: 'signed-in' }

export const can = (permission: Permission): Access => ({ type: 'can', permission })

/** Like `can`, but also accepts browser requests with a signed URL instead of a token. */
export const canByAddress = (permission: Permission, byAddress: ByAddress): Access => ({
  type: 'can',
  permission,
  byAddress,
})

/** Requires an interactive sign-in: API tokens can't access the user's account, security settings or tokens. */
export const signedInByHand = { type: 'signed-in', byHand: true } as const satisfies Access

/**
 * Like `can`, but excludes API tokens, for permissions that could give a token more access: users, roles, the outbox.
 */
export const canByHand = (permission: Permission): Access => ({ type: 'can', permission, byHand: true })

/** For signed-in users, but not while impersonating: data that only the users themselves may see. */
export const signedInWithoutImpersonation: Access = { type: 'signed-in', whileSeen: false }

/** Allows a route that manages the session itself while impersonating. */
export const allowWhileImpersonated = <Requested extends Exclude<Access, { readonly type: 'can' }>>(
  access: Requested,
): Access => ({
  ...access,
  whileSeen: true,
})

export function actingUser(actor: Actor): Extract<Actor, { readonly type: 'user' }> {
  if (actor.type === 'user') return actor
  throw new Problem('token-missing', 'Sign in to do this.')
}
