import { type Actor, userIdOf } from '../access/actor.ts'
import { type AccessTarget, decide } from '../access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { View } from './view.ts'

/** What a user may do with a view they can see. */
export type ViewRights = {
  /** Change what it shows and its name, or delete it. */
  readonly mayChange: boolean
  /** Lock and unlock it, and take it back from the others. */
  readonly mayLock: boolean
  /** Share it, and order shared views. */
  readonly mayShare: boolean
}

const NONE: ViewRights = { mayChange: false, mayLock: false, mayShare: false }

/** Whether a user sees a view of a readable collection: a private one only its owner, also while impersonated. */
export const seesView = (actor: Actor, { isShared, owner }: Pick<View, 'isShared' | 'owner'>): boolean =>
  isShared || (!isImpersonated(actor) && userIdOf(actor) === owner)

/** Decides what a user may do with a view they can see. */
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
 * Whether a reader of a collection may save views. A read-only API token may not: it needs the sharing scope even for
 * its user's own views. Impersonation is read-only.
 */
export function maySaveViews(actor: Actor, collection: AccessTarget): boolean {
  if (actor.type !== 'user' || isImpersonated(actor)) return false
  return actor.sessionId !== null || decide(actor, 'views:share', collection).allowed
}
