import { type Actor, userIdOf } from '../access/actor.ts'
import { type Decided, decide } from '../access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { View } from './view.ts'

/** What somebody may do with a view they see. */
export type ViewRights = {
  /** Change what it shows and its name, or delete it. */
  readonly mayChange: boolean
  /** Lock and unlock it, and take it back from the others. */
  readonly mayLock: boolean
  /** Show it to everybody, and put shared views in order. */
  readonly mayShare: boolean
}

const NONE: ViewRights = { mayChange: false, mayLock: false, mayShare: false }

/** Whether somebody sees a view of a collection they may read: a personal one is its maker's alone, whoever looks as them. */
export const seesView = (actor: Actor, { isShared, owner }: Pick<View, 'isShared' | 'owner'>): boolean =>
  isShared || (!isImpersonated(actor) && userIdOf(actor) === owner)

/** Judges what somebody may do with a view they see. */
export function decideViewRights(
  actor: Actor,
  collection: Decided,
  { isShared, isLocked, owner }: Pick<View, 'isShared' | 'isLocked' | 'owner'>,
): ViewRights {
  if (!maySaveViews(actor, collection)) return NONE
  const mayShare = decide(actor, 'views:share', collection).allowed
  const isOwner = userIdOf(actor) === owner
  if (!isShared) return { mayChange: isOwner, mayLock: isOwner, mayShare: isOwner && mayShare }
  const isHead = isOwner || decide(actor, 'collections:manage', collection).allowed
  return { mayChange: mayShare && (!isLocked || isHead), mayLock: mayShare && isHead, mayShare }
}

/**
 * Whether somebody who may read a collection keeps views of it at all. An API token that was made for reading changes
 * nothing: it needs the scope for sharing, even for its user's own. Whoever looks as somebody else only reads.
 */
export function maySaveViews(actor: Actor, collection: Decided): boolean {
  if (actor.type !== 'user' || isImpersonated(actor)) return false
  return actor.sessionId !== null || decide(actor, 'views:share', collection).allowed
}
