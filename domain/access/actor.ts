import type { RoleId, SessionId, UserId } from '../shared/ids.ts'
import type { Grant, Scope } from './grant.ts'
import type { Permission } from './permission.ts'
import { OWNER } from './policy.ts'

export type Actor =
  | { readonly type: 'guest' }
  | {
      readonly type: 'user'
      readonly userId: UserId
      /** null for API tokens, which can't use session endpoints. */
      readonly sessionId: SessionId | null
      readonly name: string
      /** Roles that provide the grants; also used by transitions and policy examples. */
      readonly roles?: readonly RoleId[]
      /** Attribute values by name; `@me.region` reads `region`. */
      readonly profile?: Profile
      readonly grants: readonly Grant[]
      /** Scopes of the API token, which limit the grants. */
      readonly scopes?: readonly Scope[]
      /** Set for API tokens, so that revoking a token stops work started with it. */
      readonly tokenId?: string
      /** IANA time zone used to resolve `@today`; defaults to UTC. */
      readonly timeZone?: string
      /** A required second factor isn't set up yet, so the actor can only set one up. */
      readonly lacksSecondFactor?: true
      /** Signed-in user who is viewing as this user; access is read-only. */
      readonly impersonatedBy?: Impersonator
    }
  /** Used for setup, the command line and jobs; never created from a request. */
  | { readonly type: 'system'; readonly reason: string }

/** Impersonating user and their own permissions. */
export type Impersonator = {
  readonly userId: UserId
  readonly name: string
  readonly permissions: readonly Permission[]
}

export type Profile = { readonly [name: string]: string | readonly string[] }

export const GUEST: Actor = { type: 'guest' }

/** Time zone for an actor's dates; UTC by default. */
export const timeZoneOf = (actor: Actor): string => (actor.type === 'user' ? (actor.timeZone ?? 'UTC') : 'UTC')

export const isOwner = (actor: Actor): boolean => actor.type === 'user' && actor.roles?.includes(OWNER) === true

/** User recorded in the change log and `createdBy`; null for the system. */
export const userIdOf = (actor: Actor): UserId | null => (actor.type === 'user' ? actor.userId : null)
