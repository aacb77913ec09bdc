import type { CollectionId, UserId } from '../shared/ids.ts'
import type { ViewId } from '../views/view.ts'

export type DashboardId = string

/** Maximum number of shared dashboards, and of private dashboards per user; all names are loaded together. */
export const MAX_DASHBOARDS = 50

/** Each item loads its own records or groups. */
export const MAX_DASHBOARD_ITEMS = 24

/** In characters; the name is shown in the sidebar. */
export const MAX_DASHBOARD_NAME = 80

/** How long a deleted dashboard can be restored. */
export const DELETED_DASHBOARD_DAYS = 30

/** In columns of a row of 12; on a phone, every item fills the row. */
export const ITEM_WIDTHS = [3, 4, 6, 8, 12] as const

export const ITEM_HEIGHTS = ['small', 'medium', 'large'] as const

export type ItemSize = {
  readonly width: (typeof ITEM_WIDTHS)[number]
  readonly height: (typeof ITEM_HEIGHTS)[number]
}

/** Shows a saved view: a chart as a chart, every other view as a list of its first records. */
export type DashboardItem = ItemSize & {
  readonly id: string
  readonly collection: CollectionId
  readonly view: ViewId
}

export type Dashboard = {
  readonly id: DashboardId
  /** Creator of the dashboard, and the only user who can see it while it is private. */
  readonly owner: UserId
  readonly name: string
  readonly isShared: boolean
  readonly items: readonly DashboardItem[]
  readonly version: number
}
