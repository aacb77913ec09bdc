import type { Dashboard } from '#domain/dashboards/dashboard.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Change, ChangeKind } from '#server/records/changes/change-log.ts'
import type { LoggedDefinition } from '#server/records/changes/definition-log.ts'

/** The logged state of a dashboard: null while it doesn't exist; of a private one, only that it exists. */
export type LoggedDashboard = Dashboard | { readonly isShared: false } | null

export const isSharedDashboard = (dashboard: LoggedDashboard): dashboard is Dashboard => dashboard?.isShared === true

/** The log entry for a dashboard; none while it is private. */
export function dashboardChange(before: Dashboard | null, after: Dashboard | null): readonly Change[] {
  if (!isSharedDashboard(before) && !isSharedDashboard(after)) return []
  return [{ kind: kindOf(before, after), collection: null, record: null, before: logged(before), after: logged(after) }]
}

function kindOf(before: Dashboard | null, after: Dashboard | null): ChangeKind {
  if (!before) return 'dashboard-created'
  if (!after) return 'dashboard-deleted'
  if (before.isShared === after.isShared) return 'dashboard-changed'
  return after.isShared ? 'dashboard-shared' : 'dashboard-unshared'
}

/** A dashboard is plain JSON. */
const logged = (dashboard: Dashboard | null): Json =>
  dashboard?.isShared === false ? { isShared: false } : JSON.parse(JSON.stringify(dashboard))

export const dashboardsIn = ({
  before,
  after,
}: Pick<LoggedDefinition, 'before' | 'after'>): readonly [LoggedDashboard, LoggedDashboard] => [
  before as unknown as LoggedDashboard,
  after as unknown as LoggedDashboard,
]
