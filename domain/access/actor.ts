import type { RoleId, SessionId, UserId } from '../shared/ids.ts'
import type { Grant, Scope } from './grant.ts'
import type { Permission } from './permission.ts'
import { OWNER } from './policy.ts'

export type Actor =
  | { readonly type: 'guest' }
  | {
      readonly type: 'user'
      readonly userId: UserId
      /** null for API tokens, which cannot use sign-in endpoints. */
      readonly sessionId: SessionId | null
      readonly name: string
      /** Source of the grants; transition roles and policy examples refer to them too. */
      readonly roles?: readonly RoleId[]
      /** Attribute values by name; `@me.region` reads `region`. */
      readonly profile?: Profile
      readonly grants: readonly Grant[]
      /** For API tokens: the scopes that narrowed the grants. */
      readonly scopes?: readonly Scope[]
      /** For API tokens: work started with a token is stopped when it is revoked. */
      readonly tokenId?: string
      /** IANA time zone used for `@today`; absent: UTC. */
      readonly timeZone?: string
      /** A second factor is required but not set up; only setting one up is allowed. */
      readonly lacksSecondFactor?: true
      /** The signed-in user who views as this user; only reading is allowed. */
      readonly impersonatedBy?: Impersonator
    }
  /** Setup, the command line and jobs; never created from a request. */
  | { readonly type: 'system'; readonly reason: string }

/** A user who views as another, with all permissions of their own. */
export type Impersonator = {
  readonly userId: UserId
  readonly name: string
  readonly permissions: readonly Permission[]
}

export type Profile = { readonly [name: string]: string | readonly string[] }

export const GUEST: Actor = { type: 'guest' }

/** The time zone for an actor's dates; UTC by default. */
export const timeZoneOf = (actor: Actor): string => (actor.type === 'user' ? (actor.timeZone ?? 'UTC') : 'UTC')

export const isOwner = (actor: Actor): boolean => actor.type === 'user' && actor.roles?.includes(OWNER) === true

/** The user for the change log and `createdBy`; null for the system. */
export const userIdOf = (actor: Actor): UserId | null => (actor.type === 'user' ? actor.userId : null)
