import type { FavoriteBody } from '#api/favorites.ts'
import type { Actor } from '#domain/access/actor.ts'
import {
  type Favorite,
  type FavoriteTarget,
  MAX_FAVORITES,
  inOrderOf,
  isSameTarget,
} from '#domain/favorites/favorite.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection, maySee } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import { actingUser } from '#server/identity/sign-in/acting-user.ts'
import { isViewVisible } from '#server/records/views/visible-views.ts'
import { showFavorites, visibleTitles } from './show-favorites.ts'
import { loadFavorites, replaceFavorites } from './store.ts'

/** A thing to keep at hand, by the names it has from outside. */
export type FavoriteInput = {
  readonly collection: string
  readonly view?: string | undefined
  readonly record?: string | undefined
  readonly position?: number | undefined
}

/** Story: what somebody keeps at hand. */
export async function listFavorites(needs: RecordDeps, actor: Actor): Promise<FavoriteBody[]> {
  const asker = await queryActorOf(needs, actor)
  return showFavorites(needs, asker, await loadFavorites(needs.database.read, actingUser(actor).userId))
}

/** Story: keep something at hand. Only what one sees can be kept. */
export async function addFavorite(needs: RecordDeps, actor: Actor, wanted: FavoriteInput): Promise<FavoriteBody[]> {
  const asker = await queryActorOf(needs, actor)
  const target = await targetOf(needs, asker, wanted)
  return updateFavorites(needs, asker, async (before) => {
    if (before.some((each) => isSameTarget(each, target))) return before
    const kept = before.length < MAX_FAVORITES ? before : await visibleFavorites(needs, asker, before)
    if (kept.length >= MAX_FAVORITES) {
      throw new Problem('definition-invalid', `You can have at most ${MAX_FAVORITES} favorites. Remove one first.`)
    }
    return kept.toSpliced(wanted.position ?? kept.length, 0, { id: needs.newId(), ...target })
  })
}

/** Story: keep something at hand no longer. What is not there is gone already. */
export async function removeFavorite(needs: RecordDeps, actor: Actor, id: string): Promise<FavoriteBody[]> {
  const asker = await queryActorOf(needs, actor)
  return updateFavorites(needs, asker, async (before) => before.filter((each) => each.id !== id))
}

/** Story: put favourites into another order. */
export async function reorderFavorites(
  needs: RecordDeps,
  actor: Actor,
  ids: readonly string[],
): Promise<FavoriteBody[]> {
  const asker = await queryActorOf(needs, actor)
  return updateFavorites(needs, asker, async (before) => inOrderOf(before, ids))
}

/** What is gone or out of sight makes room, where there is none any more. */
async function visibleFavorites(
  needs: RecordDeps,
  asker: QueryActor,
  favourites: readonly Favorite[],
): Promise<readonly Favorite[]> {
  const seen = new Set((await showFavorites(needs, asker, favourites)).map(({ id }) => id))
  return favourites.filter(({ id }) => seen.has(id))
}

async function targetOf(needs: RecordDeps, asker: QueryActor, wanted: FavoriteInput): Promise<FavoriteTarget> {
  const { actor, definitions } = asker
  const { view = null, record = null } = wanted
  if (view === null && record === null)
    return { collection: visibleCollectionId(asker, wanted.collection), view, record }
  if (view !== null && record !== null) throw new Problem('invalid-request', 'Specify a view or a record, not both.')
  const { collection } = getCollection(definitions, actor, 'records:read', wanted.collection)
  const isThere =
    record === null
      ? await isViewVisible(needs.database.read, actor, collection.id, view ?? '')
      : (await visibleTitles(needs, asker, collection, [record])).has(record)
  if (isThere) return { collection: collection.id, view, record }
  throw new Problem('not-found', `This item no longer exists in ${collection.label}.`)
}

/** The id of a collection by its name or id: whoever manages it need not read in it. */
function visibleCollectionId({ actor, definitions }: QueryActor, nameOrId: string): CollectionId {
  const found = definitions.byName.get(nameOrId) ?? definitions.byId.get(nameOrId)
  if (found && maySee(actor, found)) return found.id
  throw new Problem('collection-not-found', `There is no collection “${nameOrId}”.`)
}

async function updateFavorites(
  needs: RecordDeps,
  asker: QueryActor,
  to: (before: readonly Favorite[]) => Promise<readonly Favorite[]>,
): Promise<FavoriteBody[]> {
  const { userId } = actingUser(asker.actor)
  const after = await needs.database.write(
    async (transaction) => {
      const before = await loadFavorites(transaction.db, userId)
      const changed = await to(before)
      if (changed !== before) await replaceFavorites(transaction, userId, changed)
      return changed
    },
    { alone: 'favourites' },
  )
  return showFavorites(needs, asker, after)
}

const queryActorOf = async (needs: RecordDeps, actor: Actor): Promise<QueryActor> => ({
  actor,
  definitions: await needs.definitions.current(),
  now: needs.clock(),
})
