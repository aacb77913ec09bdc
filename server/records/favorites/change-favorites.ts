import * as api from '#api/home.ts'
import type { FavoriteBody } from '#api/home.ts'
import type { Actor } from '#domain/access/actor.ts'
import {
  type Favorite,
  type FavoriteTarget,
  MAX_FAVORITES,
  applyFavoriteOrder,
  isSameTarget,
} from '#domain/collections/favorite.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection, maySee } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import { actingUser, signedInByHand } from '#server/platform/http/access.ts'
import { loadFavorites, replaceFavorites } from './store.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type LinkedRecords, recordTitles, visibleTitles } from '#server/records/show/visible-titles.ts'
import type { View, ViewId } from '#domain/views/view.ts'
import { seesView } from '#domain/views/view-rights.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findView, loadViewsById } from '#server/records/views/store.ts'
import { type Route, route } from '#server/platform/http/route.ts'

async function visibleViews(db: Reader, actor: Actor, ids: readonly ViewId[]): Promise<Map<ViewId, View>> {
  if (ids.length === 0) return new Map()
  const views = await loadViewsById(db, ids)
  return new Map(views.filter((view) => seesView(actor, view)).map((view) => [view.id, view]))
}

async function isViewVisible(db: Reader, actor: Actor, collection: CollectionId, id: ViewId): Promise<boolean> {
  const view = await findView(db, collection, id)
  return view !== undefined && seesView(actor, view)
}

/** Favorites with their current names; deleted and hidden targets are left out. */
async function showFavorites(
  deps: RecordDeps,
  { actor, definitions }: QueryActor,
  favourites: readonly Favorite[],
): Promise<FavoriteBody[]> {
  const views = await visibleViews(
    deps.database.read,
    actor,
    favourites.flatMap(({ view }) => view ?? []),
  )
  const wanted = new Map<CollectionId, LinkedRecords>()
  for (const [id, some] of Map.groupBy(favourites, ({ collection }) => collection))
    wanted.set(id, { ids: new Set(some.flatMap(({ record }) => record ?? [])), isTitled: true })
  const titles = await visibleTitles(deps, { actor, definitions }, wanted)
  const nameOf = ({ view, record }: Favorite, collection: Collection): string | undefined => {
    if (record !== null) return titles.get(collection.id)?.get(record)
    return view === null ? collection.label : views.get(view)?.name
  }
  return favourites.flatMap((favourite) => {
    const collection = collectionOf({ actor, definitions }, favourite)
    const name = collection && nameOf(favourite, collection)
    return collection === undefined || name === undefined ? [] : favoriteBody(favourite, name)
  })
}

/** Views and records are visible to readers of the collection; the collection itself also to its managers. */
function collectionOf(
  { actor, definitions }: Pick<QueryActor, 'actor' | 'definitions'>,
  { collection: id, view, record }: Favorite,
): Collection | undefined {
  const collection = definitions.byId.get(id)
  if (!collection || !maySee(actor, collection)) return undefined
  const isWhole = view === null && record === null
  return isWhole || decide(actor, 'records:read', collection).allowed ? collection : undefined
}

function favoriteBody({ id, collection, view, record }: Favorite, name: string): FavoriteBody {
  const type = record !== null ? 'record' : view !== null ? 'view' : 'collection'
  return { id, type, collection, target: record ?? view ?? collection, name }
}

export type FavoriteInput = {
  readonly collection: string
  readonly view?: string | undefined
  readonly record?: string | undefined
  readonly position?: number | undefined
}

async function listFavorites(deps: RecordDeps, actor: Actor): Promise<FavoriteBody[]> {
  const queryActor = await queryActorOf(deps, actor)
  return showFavorites(deps, queryActor, await loadFavorites(deps.database.read, actingUser(actor).userId))
}

async function addFavorite(deps: RecordDeps, actor: Actor, wanted: FavoriteInput): Promise<FavoriteBody[]> {
  const queryActor = await queryActorOf(deps, actor)
  const target = await targetOf(deps, queryActor, wanted)
  return updateFavorites(deps, queryActor, async (before) => {
    if (before.some((each) => isSameTarget(each, target))) return before
    const kept = before.length < MAX_FAVORITES ? before : await visibleFavorites(deps, queryActor, before)
    if (kept.length >= MAX_FAVORITES) {
      throw new Problem('definition-invalid', `You can have at most ${MAX_FAVORITES} favorites. Remove one first.`)
    }
    return kept.toSpliced(wanted.position ?? kept.length, 0, { id: deps.newId(), ...target })
  })
}

/** Removes a favorite; succeeds even if it doesn't exist. */
async function removeFavorite(deps: RecordDeps, actor: Actor, id: string): Promise<FavoriteBody[]> {
  const queryActor = await queryActorOf(deps, actor)
  return updateFavorites(deps, queryActor, async (before) => before.filter((each) => each.id !== id))
}

async function reorderFavorites(deps: RecordDeps, actor: Actor, ids: readonly string[]): Promise<FavoriteBody[]> {
  const queryActor = await queryActorOf(deps, actor)
  return updateFavorites(deps, queryActor, async (before) => applyFavoriteOrder(before, ids))
}

/** Deleted and hidden favorites are removed when the limit is reached. */
async function visibleFavorites(
  deps: RecordDeps,
  queryActor: QueryActor,
  favourites: readonly Favorite[],
): Promise<readonly Favorite[]> {
  const seen = new Set((await showFavorites(deps, queryActor, favourites)).map(({ id }) => id))
  return favourites.filter(({ id }) => seen.has(id))
}

async function targetOf(deps: RecordDeps, queryActor: QueryActor, wanted: FavoriteInput): Promise<FavoriteTarget> {
  const { actor, definitions } = queryActor
  const { view = null, record = null } = wanted
  if (view === null && record === null)
    return { collection: visibleCollectionId(queryActor, wanted.collection), view, record }
  if (view !== null && record !== null) throw new Problem('invalid-request', 'Specify a view or a record, not both.')
  const { collection } = getCollection(definitions, actor, 'records:read', wanted.collection)
  const isThere =
    record === null
      ? await isViewVisible(deps.database.read, actor, collection.id, view ?? '')
      : (await recordTitles(deps, queryActor, collection, [record])).has(record)
  if (isThere) return { collection: collection.id, view, record }
  throw new Problem('not-found', `This item no longer exists in ${collection.label}.`)
}

/** Managers of a collection don't necessarily have read permission. */
function visibleCollectionId({ actor, definitions }: QueryActor, nameOrId: string): CollectionId {
  const found = definitions.byName.get(nameOrId) ?? definitions.byId.get(nameOrId)
  if (found && maySee(actor, found)) return found.id
  throw new Problem('collection-not-found', `There is no collection “${nameOrId}”.`)
}

async function updateFavorites(
  deps: RecordDeps,
  queryActor: QueryActor,
  to: (before: readonly Favorite[]) => Promise<readonly Favorite[]>,
): Promise<FavoriteBody[]> {
  const { userId } = actingUser(queryActor.actor)
  const after = await deps.database.write(
    async (transaction) => {
      const before = await loadFavorites(transaction.db, userId)
      const changed = await to(before)
      if (changed !== before) await replaceFavorites(transaction, userId, changed)
      return changed
    },
    { alone: 'favourites' },
  )
  return showFavorites(deps, queryActor, after)
}

const queryActorOf = async (deps: RecordDeps, actor: Actor): Promise<QueryActor> => ({
  actor,
  definitions: await deps.definitions.current(),
  now: deps.clock(),
})

export const favoriteRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listFavorites, signedInByHand, async ({ actor }) => ({ items: await listFavorites(deps, actor) })),
  route(api.addFavorite, signedInByHand, async ({ actor, body }) => ({
    items: await addFavorite(deps, actor, body),
  })),
  route(api.removeFavorite, signedInByHand, async ({ actor, params }) => ({
    items: await removeFavorite(deps, actor, params.favourite),
  })),
  route(api.reorderFavorites, signedInByHand, async ({ actor, body }) => ({
    items: await reorderFavorites(deps, actor, body.ids),
  })),
]
