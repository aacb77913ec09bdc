import { userIdOf } from '#domain/access/actor.ts'
import { setBackParts } from '#domain/collections/undone-definition.ts'
import type { Dashboard } from '#domain/dashboards/dashboard.ts'
import { decideDashboardRights, seesDashboard } from '#domain/dashboards/dashboard-rights.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { LoggedDefinition } from '#server/records/changes/definition-log.ts'
import { dashboardChange, dashboardsIn, isSharedDashboard, type LoggedDashboard } from './log-dashboard.ts'
import {
  assertAllowed,
  endOfSection,
  NOT_CHANGING,
  NOT_OWNER,
  NOT_SHARING,
  restoreDashboardIn,
  storeChangedDashboard,
} from './save-dashboard.ts'
import { findDashboard, insertDashboard, markDeleted } from './store.ts'

type UndoneDashboard = {
  readonly changes: readonly Change[]
  /** What stays as it is, because it was changed since. */
  readonly kept: readonly string[]
}

const NOTHING: UndoneDashboard = { changes: [], kept: [] }

const keeping = (message: string): UndoneDashboard => ({ ...NOTHING, kept: [message] })

/** Undoes a change of a shared dashboard, with the permissions for the opposite change. */
export async function undoDashboardIn(
  writing: Writing,
  entry: Pick<LoggedDefinition, 'before' | 'after'>,
): Promise<UndoneDashboard> {
  const [before, after] = dashboardsIn(entry)
  const logged = [before, after].findLast(isSharedDashboard)
  if (!logged) return NOTHING
  const stored = await findDashboard(writing.transaction.db, logged.id)
  if (after === null) return stored ? NOTHING : restore(writing, logged)
  if (!stored || !seesDashboard(writing.actor, stored))
    return keeping(`The dashboard “${logged.name}” was deleted since.`)
  if (before !== null) return setBack(writing, { before, after, current: stored })
  return stored.isShared ? remove(writing, stored) : keeping(changedSince(stored))
}

const changedSince = ({ name }: Dashboard): string => `The dashboard “${name}” was changed since.`

type Changed = {
  readonly before: NonNullable<LoggedDashboard>
  readonly after: NonNullable<LoggedDashboard>
  readonly current: Dashboard
}

async function setBack(writing: Writing, { before, after, current }: Changed): Promise<UndoneDashboard> {
  const isWhole = isSharedDashboard(before) && isSharedDashboard(after)
  if (isWhole && !current.isShared) return keeping(changedSince(current))
  const { value, isKept } = isWhole
    ? setBackParts({ current, before, after }, ['name', 'items'])
    : setBackParts<Partial<Dashboard>, 'isShared'>({ current, before, after }, ['isShared'])
  const kept = isKept ? [changedSince(current)] : []
  if (Object.keys(value).length === 0) return { ...NOTHING, kept }
  const next: Dashboard = { ...current, ...value, version: current.version + 1 }
  assertMaySetBack(writing, current, next)
  await storeChangedDashboard(writing, current, next)
  return { changes: dashboardChange(current, next), kept }
}

async function remove({ transaction, actor, at }: Writing, current: Dashboard): Promise<UndoneDashboard> {
  assertAllowed(decideDashboardRights(actor, current).mayChange, NOT_CHANGING)
  await markDeleted(transaction, current.id, at)
  return { ...NOTHING, changes: dashboardChange(current, null) }
}

async function restore(writing: Writing, logged: Dashboard): Promise<UndoneDashboard> {
  const { transaction, actor, at } = writing
  const deleted = await findDashboard(transaction.db, logged.id, { isDeleted: true })
  const restored = deleted ?? { ...logged, version: logged.version + 1 }
  assertAllowed(decideDashboardRights(actor, restored).mayChange, NOT_CHANGING)
  if (deleted) await restoreDashboardIn(writing, deleted)
  else await insertDashboard(transaction, restored, await endOfSection(transaction, restored), at)
  return { ...NOTHING, changes: dashboardChange(null, restored) }
}

function assertMaySetBack({ actor }: Writing, current: Dashboard, next: Dashboard): void {
  const rights = decideDashboardRights(actor, current)
  const whyNot = current.owner === userIdOf(actor) ? NOT_SHARING : NOT_OWNER
  if (next.isShared === current.isShared) assertAllowed(rights.mayChange, NOT_CHANGING)
  else assertAllowed(rights.mayShare, whyNot)
}
