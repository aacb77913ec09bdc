import type { DashboardBody, DashboardNameBody } from '#api/dashboards.ts'
import type { ViewBody } from '#api/views.ts'
import type { Actor } from '#domain/access/actor.ts'
import { userIdOf } from '#domain/access/actor.ts'
import { decide, hasPermission } from '#domain/access/decide.ts'
import type { Dashboard } from '#domain/dashboards/dashboard.ts'
import { decideDashboardRights, seesDashboard } from '#domain/dashboards/dashboard-rights.ts'
import { seesView } from '#domain/views/view-rights.ts'
import type { View, ViewId } from '#domain/views/view.ts'
import { namesOf } from '#server/access/people/routes.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { LoggedDefinition } from '#server/records/changes/definition-log.ts'
import { getViewsContext, showViews } from '#server/records/views/show-view.ts'
import { loadViewsById } from '#server/records/views/store.ts'
import { dashboardsIn, isSharedDashboard } from './log-dashboard.ts'
import { loadDashboardsById } from './store.ts'

/** The views of some dashboards that the actor can see; a dashboard grants no access to them. */
export async function visibleViews(
  db: Reader,
  { actor, definitions }: Pick<QueryActor, 'actor' | 'definitions'>,
  dashboards: readonly Pick<Dashboard, 'items'>[],
): Promise<ReadonlyMap<ViewId, View>> {
  return viewsById(
    db,
    { actor, definitions },
    dashboards.flatMap(({ items }) => items.map(({ view }) => view)),
  )
}

export async function viewsById(
  db: Reader,
  { actor, definitions }: Pick<QueryActor, 'actor' | 'definitions'>,
  ids: readonly ViewId[],
): Promise<ReadonlyMap<ViewId, View>> {
  if (ids.length === 0) return new Map()
  const views = await loadViewsById(db, [...new Set(ids)])
  const visible = views.filter(
    (view) => seesView(actor, view) && decide(actor, 'records:read', definitions.byId.get(view.collection)).allowed,
  )
  return new Map(visible.map((view) => [view.id, view]))
}

/** A shared dashboard of which the actor can see nothing is hidden as well, because its name describes the contents. */
export function isVisibleTo(actor: Actor, dashboard: Dashboard, views: ReadonlyMap<ViewId, View>): boolean {
  if (!seesDashboard(actor, dashboard)) return false
  const { owner, items } = dashboard
  return items.length === 0 || userIdOf(actor) === owner || items.some(({ view }) => views.has(view))
}

/**
 * Of these changes of dashboards, those that are shown: of dashboards that the actor can edit, if they can see the
 * dashboard as it was before, after the change and now.
 */
export async function visibleChanges(
  db: Reader,
  reader: Pick<QueryActor, 'actor' | 'definitions'>,
  entries: readonly LoggedDefinition[],
): Promise<ReadonlySet<LoggedDefinition>> {
  if (!hasPermission(reader.actor, 'views:share')) return new Set()
  const logged = entries.map((entry) => ({ entry, states: dashboardsIn(entry).filter(isSharedDashboard) }))
  const ids = new Set(logged.flatMap(({ states }) => states.map(({ id }) => id)))
  const current = new Map((await loadDashboardsById(db, [...ids])).map((dashboard) => [dashboard.id, dashboard]))
  const withCurrent = logged.map(({ entry, states }) => ({
    entry,
    states: [...states, ...states.slice(0, 1).flatMap(({ id }) => current.get(id) ?? [])],
  }))
  const views = await visibleViews(
    db,
    reader,
    withCurrent.flatMap(({ states }) => states),
  )
  const seen = withCurrent.filter(({ states }) => states.every((state) => isVisibleTo(reader.actor, state, views)))
  return new Set(seen.map(({ entry }) => entry))
}

export const showDashboardName = (actor: Actor, dashboard: Dashboard): DashboardNameBody => ({
  id: dashboard.id,
  name: dashboard.name,
  isShared: dashboard.isShared,
  mayChange: decideDashboardRights(actor, dashboard).mayChange,
})

export async function showDashboard(
  db: Reader,
  queryActor: QueryActor,
  dashboard: Dashboard,
  views: ReadonlyMap<ViewId, View>,
): Promise<DashboardBody> {
  const { actor } = queryActor
  const names = await namesOf(db, [dashboard.owner])
  const shown = new Map<ViewId, ViewBody>()
  for (const [collection, some] of Map.groupBy(views.values(), (view) => view.collection)) {
    for (const body of await showViews(db, getViewsContext(queryActor, collection), some)) shown.set(body.id, body)
  }
  return {
    ...showDashboardName(actor, dashboard),
    owner: { id: dashboard.owner, name: names.get(dashboard.owner) ?? '' },
    items: dashboard.items.map(({ id, width, height, view, collection }) => {
      const body = shown.get(view) ?? null
      return { id, width, height, collection: body && collection, view: body }
    }),
    mayShare: decideDashboardRights(actor, dashboard).mayShare,
    version: dashboard.version,
  }
}
