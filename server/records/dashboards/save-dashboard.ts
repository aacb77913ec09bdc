import * as api from '#api/dashboards.ts'
import type { DashboardBody, DashboardChange, DashboardInput, DashboardNameBody } from '#api/dashboards.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import {
  type Dashboard,
  type DashboardId,
  type DashboardItem,
  DELETED_DASHBOARD_DAYS,
  MAX_DASHBOARDS,
} from '#domain/dashboards/dashboard.ts'
import { decideDashboardRights, maySaveDashboards } from '#domain/dashboards/dashboard-rights.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { commitChange, type WriteResult, type Writing } from '#server/records/changes/commit-change.ts'
import { queryActorOf, type RecordDeps } from '#server/records/crud/record-deps.ts'
import { dashboardChange } from './log-dashboard.ts'
import { isVisibleTo, showDashboard, showDashboardName, viewsById, visibleViews } from './show-dashboard.ts'
import {
  findDashboard,
  findDeletion,
  insertDashboard,
  loadDashboards,
  markDeleted,
  purgeDeletedBefore,
  replaceDashboard,
  storeDashboardOrder,
} from './store.ts'

/** Dashboards are saved one at a time, so that no two get the same position. */
const DASHBOARDS_LOCK = { alone: 'dashboards' }

const NOT_FOUND = 'This dashboard no longer exists, or you don’t have access to it.'
export const NOT_CHANGING = 'Only its creator and people who can share views can edit this dashboard.'
export const NOT_SHARING = 'You need permission to share views. Keep the dashboard private, or ask an owner.'
export const NOT_OWNER = 'Only the creator of a dashboard can share it or make it private.'
const READ_ONLY = 'This token is read-only. To save dashboards, use a browser or a token with the “views:share” scope.'
const VIEW_NOT_FOUND = 'A view that was added no longer exists, or you don’t have access to it.'
const NEXT_REMOVED = 'The dashboard was not moved: the dashboard at the new position no longer exists.'

async function listDashboards(
  deps: RecordDeps,
  actor: Actor,
): Promise<{ items: DashboardNameBody[]; mayCreate: boolean }> {
  const { read } = deps.database
  const queryActor = queryActorOf(deps, await deps.definitions.current(), actor)
  const dashboards = await loadDashboards(read, userIdOf(actor))
  const views = await visibleViews(read, queryActor, dashboards)
  const visible = dashboards.filter((dashboard) => isVisibleTo(actor, dashboard, views))
  return {
    items: visible.map((dashboard) => showDashboardName(actor, dashboard)),
    mayCreate: maySaveDashboards(actor),
  }
}

async function readDashboard(deps: RecordDeps, actor: Actor, id: DashboardId): Promise<DashboardBody> {
  const queryActor = queryActorOf(deps, await deps.definitions.current(), actor)
  const { dashboard, views } = await getVisible(deps.database.read, queryActor, id)
  return showDashboard(deps.database.read, queryActor, dashboard, views)
}

async function getVisible(db: Reader, queryActor: QueryActor, id: DashboardId, options = { isDeleted: false }) {
  const dashboard = await findDashboard(db, id, options)
  if (!dashboard) throw new Problem('not-found', NOT_FOUND)
  const views = await visibleViews(db, queryActor, [dashboard])
  if (!isVisibleTo(queryActor.actor, dashboard, views)) throw new Problem('not-found', NOT_FOUND)
  return { dashboard, views }
}

const save = <Answer>(
  deps: RecordDeps,
  actor: Actor,
  work: (writing: Writing, owner: UserId) => Promise<Omit<WriteResult<Answer>, 'events'>>,
): Promise<Answer> =>
  commitChange(
    deps,
    actor,
    async (writing) => {
      const owner = userIdOf(actor)
      if (owner === null || !maySaveDashboards(actor)) throw new Problem('forbidden', READ_ONLY)
      return { ...(await work(writing, owner)), events: [] }
    },
    DASHBOARDS_LOCK,
  )

const queryActorIn = ({ actor, definitions, at }: Writing): QueryActor => ({ actor, definitions, now: new Date(at) })

async function bodyIn(writing: Writing, dashboard: Dashboard): Promise<DashboardBody> {
  const { db } = writing.transaction
  const queryActor = queryActorIn(writing)
  return showDashboard(db, queryActor, dashboard, await visibleViews(db, queryActor, [dashboard]))
}

function createDashboard(deps: RecordDeps, actor: Actor, input: DashboardInput): Promise<DashboardBody> {
  return save(deps, actor, async (writing, owner) => {
    const { name, isShared } = input
    const items = await itemsIn(writing, input.items, [])
    const dashboard: Dashboard = { id: writing.newId(), owner, name, isShared, items, version: 1 }
    if (isShared) assertAllowed(decideDashboardRights(actor, dashboard).mayShare, NOT_SHARING)
    await insertDashboard(
      writing.transaction,
      dashboard,
      await endOfSection(writing.transaction, dashboard),
      writing.at,
    )
    return { answer: await bodyIn(writing, dashboard), changes: dashboardChange(null, dashboard) }
  })
}

function changeDashboard(
  deps: RecordDeps,
  actor: Actor,
  id: DashboardId,
  change: DashboardChange,
): Promise<DashboardBody> {
  return save(deps, actor, async (writing) => {
    const { transaction } = writing
    const { dashboard: before } = await getVisible(transaction.db, queryActorIn(writing), id)
    const { name, isShared, version } = change
    assertChangeAllowed(actor, before, change)
    if (version !== undefined && version !== before.version) throw versionConflict(await bodyIn(writing, before))
    const parts = {
      ...(name !== undefined && { name }),
      ...(isShared !== undefined && { isShared }),
      ...(change.items && { items: await itemsIn(writing, change.items, before.items) }),
    }
    const isSame = JSON.stringify({ ...before, ...parts }) === JSON.stringify(before)
    const after = isSame ? before : { ...before, ...parts, version: before.version + 1 }
    if (!isSame) await storeChangedDashboard(writing, before, after)
    if (change.before !== undefined) await moveBefore(transaction, after, change.before)
    return { answer: await bodyIn(writing, after), changes: isSame ? [] : dashboardChange(before, after) }
  })
}

export async function storeChangedDashboard(
  { transaction, at }: Writing,
  before: Dashboard,
  after: Dashboard,
): Promise<void> {
  await replaceDashboard(transaction, after, at)
  if (after.isShared !== before.isShared) await storeOrder(transaction, after, await endOfSection(transaction, after))
}

function removeDashboard(deps: RecordDeps, actor: Actor, id: DashboardId): Promise<void> {
  return save(deps, actor, async (writing) => {
    const { transaction, at } = writing
    const { dashboard } = await getVisible(transaction.db, queryActorIn(writing), id)
    assertAllowed(decideDashboardRights(actor, dashboard).mayChange, NOT_CHANGING)
    await markDeleted(transaction, id, at)
    await purgeDeletedBefore(transaction, new Date(Date.parse(at) - DELETED_DASHBOARD_DAYS * DAY_MS).toISOString())
    return { answer: undefined, changes: dashboardChange(dashboard, null) }
  })
}

const DAY_MS = 24 * 60 * 60 * 1000

function restoreDashboard(deps: RecordDeps, actor: Actor, id: DashboardId): Promise<DashboardBody> {
  return save(deps, actor, async (writing) => {
    const { transaction } = writing
    const { dashboard } = await getVisible(transaction.db, queryActorIn(writing), id, { isDeleted: true })
    assertAllowed(decideDashboardRights(actor, dashboard).mayChange, NOT_CHANGING)
    const undoes = await findDeletion(transaction, id)
    await restoreDashboardIn(writing, dashboard)
    const answer = await bodyIn(writing, dashboard)
    return { answer, changes: dashboardChange(null, dashboard), changeSet: { undoes } }
  })
}

export async function restoreDashboardIn({ transaction }: Writing, deleted: Dashboard): Promise<void> {
  await endOfSection(transaction, deleted)
  await markDeleted(transaction, deleted.id, null)
}

/** Items that the dashboard already has keep their view, even if the actor can't see it. */
async function itemsIn(
  writing: Writing,
  inputs: DashboardInput['items'],
  known: readonly DashboardItem[],
): Promise<readonly DashboardItem[]> {
  const added = inputs.flatMap(({ view }) => view ?? [])
  const views = await viewsById(writing.transaction.db, writing, added)
  const items = inputs.map(({ id, view: viewId, width, height }) => {
    const item = known.find((each) => each.id === id)
    if (item) return { ...item, width, height }
    const view = views.get(viewId ?? '')
    if (!view) throw new Problem('definition-invalid', VIEW_NOT_FOUND)
    return { id: writing.newId(), collection: view.collection, view: view.id, width, height }
  })
  if (new Set(items.map(({ id }) => id)).size < items.length)
    throw new Problem('definition-invalid', 'The dashboard was not saved, because it contains an item twice.')
  return items
}

function assertChangeAllowed(actor: Actor, before: Dashboard, { isShared, before: next }: DashboardChange): void {
  const rights = decideDashboardRights(actor, before)
  assertAllowed(rights.mayChange, NOT_CHANGING)
  const isSharing = isShared !== undefined && isShared !== before.isShared
  if (isSharing) assertAllowed(rights.mayShare, before.owner === userIdOf(actor) ? NOT_SHARING : NOT_OWNER)
  if (next !== undefined) assertAllowed(rights.mayChange, NOT_CHANGING)
}

export function assertAllowed(isAllowed: boolean, why: string): void {
  if (!isAllowed) throw new Problem('forbidden', why)
}

const siblingsOf = async ({ db }: Transaction, { id, owner, isShared }: Dashboard): Promise<readonly DashboardId[]> =>
  (await loadDashboards(db, owner)).flatMap((other) =>
    other.isShared === isShared && other.id !== id ? [other.id] : [],
  )

/** Throws if the section is full. */
export async function endOfSection(transaction: Transaction, dashboard: Dashboard): Promise<number> {
  const { length } = await siblingsOf(transaction, dashboard)
  if (length < MAX_DASHBOARDS) return length
  throw new Problem(
    'definition-invalid',
    dashboard.isShared
      ? `There can be at most ${MAX_DASHBOARDS} shared dashboards. Delete one first.`
      : `You can have at most ${MAX_DASHBOARDS} private dashboards. Delete one first.`,
  )
}

async function moveBefore(transaction: Transaction, dashboard: Dashboard, next: DashboardId | null): Promise<void> {
  const siblings = await siblingsOf(transaction, dashboard)
  const place = next === null ? siblings.length : siblings.indexOf(next)
  if (place === -1) throw new Problem('definition-invalid', NEXT_REMOVED)
  await storeOrder(transaction, dashboard, place)
}

const storeOrder = async (transaction: Transaction, dashboard: Dashboard, place: number): Promise<void> =>
  storeDashboardOrder(transaction, (await siblingsOf(transaction, dashboard)).toSpliced(place, 0, dashboard.id))

const versionConflict = (current: DashboardBody): Problem =>
  new Problem('version-conflict', 'Someone else edited this dashboard. Your changes aren’t saved yet.', {
    extra: { current },
  })

export const dashboardRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listDashboards, can('records:read'), ({ actor }) => listDashboards(deps, actor)),
  route(api.readDashboard, can('records:read'), ({ actor, params }) => readDashboard(deps, actor, params.dashboard)),
  route(api.createDashboard, can('records:read'), ({ actor, body }) => createDashboard(deps, actor, body)),
  route(api.changeDashboard, can('records:read'), ({ actor, params, body }) =>
    changeDashboard(deps, actor, params.dashboard, body),
  ),
  route(api.deleteDashboard, can('records:read'), ({ actor, params }) =>
    removeDashboard(deps, actor, params.dashboard),
  ),
  route(api.restoreDashboard, can('records:read'), ({ actor, params }) =>
    restoreDashboard(deps, actor, params.dashboard),
  ),
]
