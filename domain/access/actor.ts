import type { RoleId, SessionId, UserId } from '../shared/ids.ts'
import type { Grant, Scope } from './grant.ts'
import type { Permission } from './permission.ts'
import { OWNER } from './policy.ts'

/** The author of a request. Every read and write names its actor. */
export type Actor =
  | { readonly type: 'guest' }
  | {
      readonly type: 'user'
      readonly userId: UserId
      /** null: an API token, which opens nothing that has to do with signing in. */
      readonly sessionId: SessionId | null
      readonly name: string
      /** What they are granted comes from these; a workflow's moves and the examples of a policy name them as well. */
      readonly roles?: readonly RoleId[]
      /** What the workspace notes about them, by name: `@me.region` reads it. */
      readonly profile?: Profile
      readonly grants: readonly Grant[]
      /** Of an API token: what narrowed their grants. */
      readonly scopes?: readonly Scope[]
      /** Of an API token: which one it is. What was begun with it ends when it does. */
      readonly tokenId?: string
      /** IANA name of the calendar they live by, which `@today` is read by; absent: UTC. */
      readonly timeZone?: string
      /**
       * The workspace requires a second factor this user has not set up: until then, only setting one up is allowed.
       */
      readonly lacksSecondFactor?: true
      /** The user who is really signed in, while viewing as this user. Allows reading only. */
      readonly impersonatedBy?: Impersonator
    }
  /** The program itself: set-up, the command line, jobs. Never made from a request. */
  | { readonly type: 'system'; readonly reason: string }

/** A user who views as another, and their own grants, not narrowed to reading. */
export type Impersonator = {
  readonly userId: UserId
  readonly name: string
  readonly permissions: readonly Permission[]
}

/** What a workspace notes about its people: one text or several under each name. */
export type Profile = { readonly [name: string]: string | readonly string[] }

/** An unauthenticated actor. */
export const GUEST: Actor = { type: 'guest' }

/** The time zone of an actor's dates; UTC for the program itself and by default. */
export const timeZoneOf = (actor: Actor): string => (actor.type === 'user' ? (actor.timeZone ?? 'UTC') : 'UTC')

/** Whether a user has the role with all permissions. */
export const isOwner = (actor: Actor): boolean => actor.type === 'user' && actor.roles?.includes(OWNER) === true

/** The user for the change log and `createdBy`; null for the program itself. */
export const userIdOf = (actor: Actor): UserId | null => (actor.type === 'user' ? actor.userId : null)
