import { type Actor, userIdOf } from '../access/actor.ts'
import { hasPermission } from '../access/decide.ts'
import { isImpersonated } from '../access/impersonation.ts'
import type { Dashboard } from './dashboard.ts'

export type DashboardRights = {
  /** Permission to edit or delete the dashboard. */
  readonly mayChange: boolean
  /** Permission to share the dashboard, or to make it private again. */
  readonly mayShare: boolean
}

/** Private dashboards are visible only to their owner, including during impersonation. */
export const seesDashboard = (actor: Actor, { isShared, owner }: Pick<Dashboard, 'isShared' | 'owner'>): boolean =>
  isShared || (!isImpersonated(actor) && userIdOf(actor) === owner)

/** Shared dashboards can be edited by everyone who can share views, because a dashboard itself grants no access. */
export function decideDashboardRights(
  actor: Actor,
  { isShared, owner }: Pick<Dashboard, 'isShared' | 'owner'>,
): DashboardRights {
  if (!maySaveDashboards(actor)) return { mayChange: false, mayShare: false }
  const isOwner = userIdOf(actor) === owner
  const mayShare = hasPermission(actor, 'views:share')
  if (!isShared) return { mayChange: isOwner, mayShare: isOwner && mayShare }
  return { mayChange: mayShare, mayShare: mayShare && isOwner }
}

/** Like saved views: not by a read-only API token, and not while impersonating. */
export function maySaveDashboards(actor: Actor): boolean {
  if (actor.type !== 'user' || isImpersonated(actor)) return false
  return actor.sessionId !== null || hasPermission(actor, 'views:share')
}
