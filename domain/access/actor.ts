import type { Filter } from '../query/filter.ts'
import type { CollectionId, FieldId, SessionId, UserId } from '../shared/ids.ts'
import type { Permission } from './permission.ts'

/**
 * One permission, on one collection or on all, for the records a condition describes and the fields it leaves open.
 * Grants only add: what any of them allows is allowed.
 */
export type Grant = {
  readonly permission: Permission
  /** null: every collection. */
  readonly collection: CollectionId | null
  /** The records it speaks of; absent means all. */
  readonly where?: Filter
  /** The fields it keeps out of sight and reach; absent means none. */
  readonly hiddenFields?: readonly FieldId[]
}

/** Whoever makes a request. Every read and write names its actor. */
export type Actor =
  | { readonly type: 'guest' }
  | {
      readonly type: 'user'
      readonly userId: UserId
      /** null: an API token, which opens nothing that has to do with signing in. */
      readonly sessionId: SessionId | null
      readonly name: string
      readonly grants: readonly Grant[]
      /** IANA name of the calendar they live by, which `@today` is read by; absent: UTC. */
      readonly timeZone?: string
    }
  /** The program itself: set-up, the command line, jobs. Never made from a request. */
  | { readonly type: 'system'; readonly reason: string }

/** Nobody in particular. */
export const GUEST: Actor = { type: 'guest' }

/** The calendar an actor lives by; the program itself and whoever tells none live by UTC. */
export const timeZoneOf = (actor: Actor): string => (actor.type === 'user' ? (actor.timeZone ?? 'UTC') : 'UTC')

/** Who stands in the log and in `createdBy`; null for the program itself. */
export const userIdOf = (actor: Actor): UserId | null => (actor.type === 'user' ? actor.userId : null)
