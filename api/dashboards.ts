import { z } from 'zod'
import { ITEM_HEIGHTS, ITEM_WIDTHS, MAX_DASHBOARD_ITEMS, MAX_DASHBOARD_NAME } from '#domain/dashboards/dashboard.ts'
import { endpoint } from './endpoint.ts'
import { personBody } from './records.ts'
import { viewBody } from './views.ts'

const size = {
  /** In columns of a row of 12. */
  width: z.literal(ITEM_WIDTHS),
  height: z.enum(ITEM_HEIGHTS),
}

const dashboardName = z.object({
  id: z.string(),
  name: z.string(),
  /** If true, visible to everyone who can see at least one of its items; otherwise private to the owner. */
  isShared: z.boolean(),
  mayChange: z.boolean(),
})

export type DashboardNameBody = z.infer<typeof dashboardName>

const dashboardItem = z.object({
  id: z.string(),
  ...size,
  /** ID of the collection; null if the view was deleted or you can't see it. */
  collection: z.string().nullable(),
  view: viewBody.nullable(),
})

export type DashboardItemBody = z.infer<typeof dashboardItem>

const dashboardBody = z.object({
  ...dashboardName.shape,
  owner: personBody,
  items: z.array(dashboardItem),
  mayShare: z.boolean(),
  version: z.number(),
})

export type DashboardBody = z.infer<typeof dashboardBody>

const name = z.string().trim().min(1).max(MAX_DASHBOARD_NAME)

const itemInput = z.strictObject({
  /** ID of an item that the dashboard already has; new items have none. */
  id: z.string().max(60).optional(),
  /** ID of a saved view, for a new item. */
  view: z.string().max(60).optional(),
  width: size.width.default(6),
  height: size.height.default('medium'),
})

const items = z.array(itemInput).max(MAX_DASHBOARD_ITEMS)

const dashboardInput = z.strictObject({
  name,
  isShared: z.boolean().default(false),
  items: items.default([]),
})

export type DashboardInput = z.infer<typeof dashboardInput>

const dashboardChange = z.strictObject({
  name: name.optional(),
  isShared: z.boolean().optional(),
  /** Replaces all items, in this order. */
  items: items.optional(),
  /** ID of the dashboard to insert before, in the same section; null: move to the end. */
  before: z.string().nullable().optional(),
  version: z.int().optional(),
})

export type DashboardChange = z.infer<typeof dashboardChange>

const dashboardParams = z.object({ dashboard: z.string() })

export const listDashboards = endpoint({
  method: 'GET',
  path: '/api/dashboards',
  summary: 'List the dashboards that you can see: shared dashboards, then your own.',
  response: z.object({ items: z.array(dashboardName), mayCreate: z.boolean() }),
})

export const readDashboard = endpoint({
  method: 'GET',
  path: '/api/dashboards/:dashboard',
  summary: 'Get a dashboard with its saved views. Views that you can’t see are null.',
  params: dashboardParams,
  response: dashboardBody,
  problems: ['not-found'],
})

export const createDashboard = endpoint({
  method: 'POST',
  path: '/api/dashboards',
  summary: 'Create a dashboard of saved views. It is private unless `isShared` is set, which requires `views:share`.',
  body: dashboardInput,
  response: dashboardBody,
  status: 201,
  problems: ['definition-invalid'],
})

export const changeDashboard = endpoint({
  method: 'PATCH',
  path: '/api/dashboards/:dashboard',
  summary: 'Update a dashboard. If `version` is stale, returns 409 with the current dashboard.',
  params: dashboardParams,
  body: dashboardChange,
  response: dashboardBody,
  problems: ['not-found', 'definition-invalid', 'version-conflict'],
})

export const deleteDashboard = endpoint({
  method: 'DELETE',
  path: '/api/dashboards/:dashboard',
  summary: 'Delete a dashboard. It can be restored for 30 days; its views aren’t deleted.',
  params: dashboardParams,
  response: 'empty',
  problems: ['not-found'],
})

export const restoreDashboard = endpoint({
  method: 'POST',
  path: '/api/dashboards/:dashboard/restore',
  summary: 'Restore a deleted dashboard.',
  params: dashboardParams,
  response: dashboardBody,
  problems: ['not-found', 'definition-invalid'],
})
