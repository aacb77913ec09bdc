import type { Dashboard, DashboardId } from '#domain/dashboards/dashboard.ts'
import { idLowerBound, type UserId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'

type DashboardRow = {
  readonly id: string
  readonly owner_id: string
  readonly name: string
  readonly is_shared: number
  readonly items: string
  readonly version: number
}

const dashboardOf = (row: DashboardRow): Dashboard => ({
  id: row.id,
  owner: row.owner_id,
  name: row.name,
  isShared: Number(row.is_shared) === 1,
  items: JSON.parse(row.items),
  version: Number(row.version),
})

const cellsOf = ({ name, isShared, items, version }: Dashboard) => ({
  name,
  is_shared: isShared ? 1 : 0,
  items: JSON.stringify(items),
  version,
})

/** Shared dashboards and the user's own. */
export async function loadDashboards(db: Reader, owner: UserId | null): Promise<Dashboard[]> {
  const rows = await db
    .selectFrom('dashboards')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((is) => is.or([is('is_shared', '=', 1), is('owner_id', '=', owner ?? '')]))
    .orderBy('is_shared', 'desc')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(dashboardOf)
}

export async function findDashboard(
  db: Reader,
  id: DashboardId,
  { isDeleted = false } = {},
): Promise<Dashboard | undefined> {
  const row = await db
    .selectFrom('dashboards')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
    .executeTakeFirst()
  return row && dashboardOf(row)
}

/** Includes deleted dashboards. */
export async function loadDashboardsById(db: Reader, ids: readonly DashboardId[]): Promise<Dashboard[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('dashboards').selectAll().where('id', 'in', ids).execute()
  return rows.map(dashboardOf)
}

export async function insertDashboard(
  { db }: Transaction,
  dashboard: Dashboard,
  position: number,
  at: string,
): Promise<void> {
  await db
    .insertInto('dashboards')
    .values({
      id: dashboard.id,
      owner_id: dashboard.owner,
      ...cellsOf(dashboard),
      position,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    })
    .execute()
}

export async function replaceDashboard({ db }: Transaction, dashboard: Dashboard, at: string): Promise<void> {
  await db
    .updateTable('dashboards')
    .set({ ...cellsOf(dashboard), updated_at: at })
    .where('id', '=', dashboard.id)
    .execute()
}

export async function storeDashboardOrder({ db }: Transaction, ids: readonly DashboardId[]): Promise<void> {
  for (const [position, id] of ids.entries()) {
    await db.updateTable('dashboards').set({ position }).where('id', '=', id).execute()
  }
}

export async function markDeleted({ db }: Transaction, id: DashboardId, at: string | null): Promise<void> {
  await db.updateTable('dashboards').set({ deleted_at: at }).where('id', '=', id).execute()
}

/** The change set that deleted a dashboard, if it was shared. */
export async function findDeletion({ db }: Transaction, id: DashboardId): Promise<string | null> {
  const dashboard = await db.selectFrom('dashboards').select('deleted_at').where('id', '=', id).executeTakeFirst()
  if (!dashboard?.deleted_at) return null
  const deletedMs = Date.parse(dashboard.deleted_at)
  const entries = await db
    .selectFrom('changes')
    .select(['change_set_id', 'before'])
    .where('kind', '=', 'dashboard-deleted')
    // IDs are generated shortly after the time of their entry is taken.
    .where('id', '>=', idLowerBound(deletedMs))
    .where('id', '<', idLowerBound(deletedMs + MAX_WRITE_MS))
    .where('at', '=', dashboard.deleted_at)
    .orderBy('id', 'desc')
    .execute()
  return entries.find(({ before }) => JSON.parse(before ?? '{}').id === id)?.change_set_id ?? null
}

/** More than the maximum duration of a write, in ms. */
const MAX_WRITE_MS = 120_000

export async function purgeDeletedBefore({ db }: Transaction, at: string): Promise<void> {
  await db.deleteFrom('dashboards').where('deleted_at', '<', at).execute()
}
