import type { Actor } from '#domain/access/actor.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { View, ViewId } from '#domain/views/view.ts'
import { seesView } from '#domain/views/view-rights.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findView, loadViewsById } from './store.ts'

/** These views, as far as somebody sees them who may read their collections. */
export async function visibleViews(db: Reader, actor: Actor, ids: readonly ViewId[]): Promise<Map<ViewId, View>> {
  if (ids.length === 0) return new Map()
  const views = await loadViewsById(db, ids)
  return new Map(views.filter((view) => seesView(actor, view)).map((view) => [view.id, view]))
}

/** Whether somebody who may read a collection sees this view of it. */
export async function isViewVisible(db: Reader, actor: Actor, collection: CollectionId, id: ViewId): Promise<boolean> {
  const view = await findView(db, collection, id)
  return view !== undefined && seesView(actor, view)
}
