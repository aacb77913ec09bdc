import type { FastifyRequest } from 'fastify'
import type { Actor } from '#domain/access/actor.ts'
import type { Permission } from '#domain/access/permission.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'

export type ByAddress = (request: FastifyRequest) => Promise<Result<Actor, Problem> | undefined>

/**
 * Access to a route; the service checks again per record: `can('…')` requires the permission in at least one
 * collection. `byHand`: not with an API token. Impersonating users can use routes that read records; `whileSeen`
 * overrides this.
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

/** For everyone, with the reason. */
export const open = (because: string): Extract<Access, { readonly type: 'open' }> => ({ type: 'open', because })

export const signedIn: Access = { type: 'signed-in' }

export const can = (permission: Permission): Access => ({ type: 'can', permission })

/** The same, also for browser requests without a token, by signed URL. */
export const canByAddress = (permission: Permission, byAddress: ByAddress): Access => ({
  type: 'can',
  permission,
  byAddress,
})

/** For interactive sign-ins: one's own account, security and tokens are not accessible to API tokens. */
export const signedInByHand = { type: 'signed-in', byHand: true } as const satisfies Access

/** The same for permissions that could give a token more access: users, roles, the outbox. */
export const canByHand = (permission: Permission): Access => ({ type: 'can', permission, byHand: true })

/** For signed-in users, but not while impersonated: data that only the users themselves may see. */
export const signedInWithoutImpersonation: Access = { type: 'signed-in', whileSeen: false }

/** Routes about the session itself remain available while impersonating. */
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
