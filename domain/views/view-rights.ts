import { type Actor, userIdOf } from '../access/actor.ts'
import { type AccessTarget, decide } from '../access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { View } from './view.ts'

export type ViewRights = {
  /** Permission to edit or delete the view. */
  readonly mayChange: boolean
  readonly mayLock: boolean
  /** Permission to share views and to order shared views. */
  readonly mayShare: boolean
}

const NONE: ViewRights = { mayChange: false, mayLock: false, mayShare: false }

/** Private views are visible only to their owner, including during impersonation. */
export const seesView = (actor: Actor, { isShared, owner }: Pick<View, 'isShared' | 'owner'>): boolean =>
  isShared || (!isImpersonated(actor) && userIdOf(actor) === owner)

/** A user's permissions for a view that they can see. */
export function decideViewRights(
  actor: Actor,
  collection: AccessTarget,
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
 * Whether a user who can read a collection can save views. A read-only API token can't, because saving even its user's
 * own views requires the sharing scope. Impersonation is read-only.
 */
export function maySaveViews(actor: Actor, collection: AccessTarget): boolean {
  if (actor.type !== 'user' || isImpersonated(actor)) return false
  return actor.sessionId !== null || decide(actor, 'views:share', collection).allowed
}
