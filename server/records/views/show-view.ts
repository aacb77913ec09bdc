import type { ViewBody } from '#api/views.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { MANUAL_ORDER } from '#domain/views/manual-order.ts'
import type { ViewMaker } from '#domain/views/check-view.ts'
import { viewForReader } from '#domain/views/view-for-reader.ts'
import type { View, ViewId } from '#domain/views/view.ts'
import { decideViewRights } from '#domain/views/view-rights.ts'
import { getCollection, hiddenDefinitionFields } from '#server/query/definitions/find-collection.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { type QueryActor, queryContext } from '#server/access/record-access/authorized-query.ts'
import { namesOf } from '#server/access/people/routes.ts'
import { findDefaultView } from './store.ts'

export type ViewsContext = { readonly actor: Actor; readonly collection: Collection; readonly maker: ViewMaker }

export function getViewsContext(queryActor: QueryActor, nameOrId: string): ViewsContext {
  const { actor, definitions } = queryActor
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const hiddenFields = hiddenDefinitionFields(actor, collection)
  return { actor, collection, maker: { ...queryContext(queryActor, collection, decision), hiddenFields } }
}

export async function showViews(db: Reader, at: ViewsContext, views: readonly View[]): Promise<ViewBody[]> {
  const names = await namesOf(db, [...new Set(views.map(({ owner }) => owner))])
  // Impersonating users don't see the impersonated user's default view.
  const first = isImpersonated(at.actor) ? null : await findDefaultView(db, userIdOf(at.actor), at.collection.id)
  return views.map((view) => showView(at, view, { name: names.get(view.owner) ?? '', first }))
}

type Around = { readonly name: string; readonly first: ViewId | null }

function showView({ actor, collection, maker }: ViewsContext, view: View, { name, first }: Around): ViewBody {
  const { isWhole, ...shown } = viewForReader(view, maker)
  const rights = decideViewRights(actor, collection, view)
  return {
    id: view.id,
    name: view.name,
    isShared: view.isShared,
    isLocked: view.isLocked,
    isDefault: first === view.id,
    owner: { id: view.owner, name },
    ...plain(shown),
    query: { ...shown.query, sort: shown.query.sort.replace(MANUAL_ORDER, `${MANUAL_ORDER}:${view.id}`) },
    ...rights,
    // A shared view with content hidden from the user can't be changed, because saving would remove that content for
    // everyone.
    mayChange: rights.mayChange && (isWhole || !view.isShared),
    version: view.version,
  }
}

function plain({
  query,
  display,
  layout,
  look,
  pageSize,
  isUsable,
  fellAway,
}: Omit<ReturnType<typeof viewForReader>, 'isWhole'>) {
  return {
    query,
    display,
    layout: {
      order: [...layout.order],
      hidden: [...layout.hidden],
      frozen: [...layout.frozen],
      widthsPx: { ...layout.widthsPx },
      footers: { ...layout.footers },
    },
    look: { ...look, colors: [...look.colors] },
    pageSize,
    isUsable,
    fellAway: [...fellAway],
  }
}
