import type { RoleId, SessionId, UserId } from '../shared/ids.ts'
import type { Grant } from './grant.ts'
import type { Permission } from './permission.ts'
import { OWNER } from './role.ts'
import type { Scope } from './scope.ts'

/** Whoever makes a request. Every read and write names its actor. */
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
      /** Their workspace demands a second factor and they signed in without one: until they set one up, nothing else is open. */
      readonly lacksSecondFactor?: true
      /** Whoever really asks, when somebody looks at the product as this user sees it. They only read. */
      readonly seenBy?: Impersonator
    }
  /** The program itself: set-up, the command line, jobs. Never made from a request. */
  | { readonly type: 'system'; readonly reason: string }

/** Somebody who looks as somebody else, and what that user holds without being narrowed to reading. */
export type Impersonator = { readonly userId: UserId; readonly name: string; readonly held: readonly Permission[] }

/** What a workspace notes about its people: one text or several under each name. */
export type Profile = { readonly [name: string]: string | readonly string[] }

/** Nobody in particular. */
export const GUEST: Actor = { type: 'guest' }

/** The calendar an actor lives by; the program itself and whoever tells none live by UTC. */
export const timeZoneOf = (actor: Actor): string => (actor.type === 'user' ? (actor.timeZone ?? 'UTC') : 'UTC')

/** Whether somebody has the role that holds everything. */
export const isOwner = (actor: Actor): boolean => actor.type === 'user' && actor.roles?.includes(OWNER) === true

/** Who stands in the log and in `createdBy`; null for the program itself. */
export const userIdOf = (actor: Actor): UserId | null => (actor.type === 'user' ? actor.userId : null)
