import type { FavoriteBody } from '#api/favorites.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Favorite } from '#domain/favorites/favorite.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { maySee } from '#server/query/definitions/find-collection.ts'
import { recordTitles } from '#server/records/show/linked-names.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type QueryActor, idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { visibleViews } from '#server/records/views/visible-views.ts'

/** Favourites by the names they have now; what is gone, or out of its reader's sight, is left out. */
export async function showFavorites(
  needs: RecordDeps,
  { actor, definitions, now }: QueryActor,
  favourites: readonly Favorite[],
): Promise<FavoriteBody[]> {
  const views = await visibleViews(
    needs.database.read,
    actor,
    favourites.flatMap(({ view }) => view ?? []),
  )
  const titles = new Map<RecordId, string>()
  const ofRecords = favourites.filter(({ record }) => record !== null)
  for (const [id, some] of Map.groupBy(ofRecords, ({ collection }) => collection)) {
    const collection = definitions.byId.get(id)
    if (!collection) continue
    const ids = some.flatMap(({ record }) => record ?? [])
    const found = await visibleTitles(needs, { actor, definitions, now }, collection, ids)
    for (const [record, title] of found) titles.set(record, title)
  }
  const nameOf = ({ view, record }: Favorite, collection: Collection): string | undefined => {
    if (record !== null) return titles.get(record)
    return view === null ? collection.label : views.get(view)?.name
  }
  return favourites.flatMap((favourite) => {
    const collection = collectionOf({ actor, definitions }, favourite)
    const name = collection && nameOf(favourite, collection)
    return collection === undefined || name === undefined ? [] : favoriteBody(favourite, name)
  })
}

/** Views and records are for who reads there; the collection itself is also for who manages it. */
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

/** The records that are there for somebody, each with what names it to them: nothing is an empty text. */
export async function visibleTitles(
  needs: RecordDeps,
  asker: QueryActor,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<Map<RecordId, string>> {
  const decision = decide(asker.actor, 'records:read', collection)
  if (!decision.allowed) return new Map()
  const inside = await idsInside(scopeOf(needs, asker.definitions), asker, { collection, decision }, ids)
  const titles = await recordTitles(needs, asker, collection, [...inside])
  return new Map([...inside].map((id) => [id, titles.get(id) ?? '']))
}
