import type { FavouriteBody } from '#api/favourites.ts'
import type { Actor } from '#domain/access/actor.ts'
import {
  type Favourite,
  type FavouriteTarget,
  MAX_FAVOURITES,
  inOrderOf,
  isSameTarget,
} from '#domain/favourites/favourite.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection, maySee } from '#server/collections/find-collection.ts'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import type { Asker } from '#server/records/records-query.ts'
import { userOf } from '#server/sessions/user-of.ts'
import { isViewSeen } from '#server/views/seen-views.ts'
import { showFavourites, titlesSeen } from './show-favourites.ts'
import { loadFavourites, replaceFavourites } from './store.ts'

/** A thing to keep at hand, by the names it has from outside. */
export type WantedFavourite = {
  readonly collection: string
  readonly view?: string | undefined
  readonly record?: string | undefined
  readonly position?: number | undefined
}

/** Story: what somebody keeps at hand. */
export async function listFavourites(needs: RecordNeeds, actor: Actor): Promise<FavouriteBody[]> {
  const asker = await askerOf(needs, actor)
  return showFavourites(needs, asker, await loadFavourites(needs.database.read, userOf(actor).userId))
}

/** Story: keep something at hand. Only what one sees can be kept. */
export async function addFavourite(
  needs: RecordNeeds,
  actor: Actor,
  wanted: WantedFavourite,
): Promise<FavouriteBody[]> {
  const asker = await askerOf(needs, actor)
  const target = await targetOf(needs, asker, wanted)
  return change(needs, asker, async (before) => {
    if (before.some((each) => isSameTarget(each, target))) return before
    const kept = before.length < MAX_FAVOURITES ? before : await onlySeen(needs, asker, before)
    if (kept.length >= MAX_FAVOURITES) {
      throw new Problem(
        'definition-invalid',
        `You keep ${MAX_FAVOURITES} favourites, which is the most. Remove one first.`,
      )
    }
    return kept.toSpliced(wanted.position ?? kept.length, 0, { id: needs.newId(), ...target })
  })
}

/** Story: keep something at hand no longer. What is not there is gone already. */
export async function removeFavourite(needs: RecordNeeds, actor: Actor, id: string): Promise<FavouriteBody[]> {
  const asker = await askerOf(needs, actor)
  return change(needs, asker, async (before) => before.filter((each) => each.id !== id))
}

/** Story: put favourites into another order. */
export async function orderFavourites(
  needs: RecordNeeds,
  actor: Actor,
  ids: readonly string[],
): Promise<FavouriteBody[]> {
  const asker = await askerOf(needs, actor)
  return change(needs, asker, async (before) => inOrderOf(before, ids))
}

/** What is gone or out of sight makes room, where there is none any more. */
async function onlySeen(
  needs: RecordNeeds,
  asker: Asker,
  favourites: readonly Favourite[],
): Promise<readonly Favourite[]> {
  const seen = new Set((await showFavourites(needs, asker, favourites)).map(({ id }) => id))
  return favourites.filter(({ id }) => seen.has(id))
}

async function targetOf(needs: RecordNeeds, asker: Asker, wanted: WantedFavourite): Promise<FavouriteTarget> {
  const { actor, definitions } = asker
  const { view = null, record = null } = wanted
  if (view === null && record === null) return { collection: seenCollection(asker, wanted.collection), view, record }
  if (view !== null && record !== null) throw new Problem('invalid-request', 'Name a view or a record, not both.')
  const { collection } = getCollection(definitions, actor, 'records:read', wanted.collection)
  const isThere =
    record === null
      ? await isViewSeen(needs.database.read, actor, collection.id, view ?? '')
      : (await titlesSeen(needs, asker, collection, [record])).has(record)
  if (isThere) return { collection: collection.id, view, record }
  throw new Problem('not-found', `There is no such thing in ${collection.label} any more.`)
}

/** The id of a collection by its name or id: whoever manages it need not read in it. */
function seenCollection({ actor, definitions }: Asker, nameOrId: string): CollectionId {
  const found = definitions.byName.get(nameOrId) ?? definitions.byId.get(nameOrId)
  if (found && maySee(actor, found)) return found.id
  throw new Problem('collection-not-found', `There is no collection “${nameOrId}”.`)
}

async function change(
  needs: RecordNeeds,
  asker: Asker,
  to: (before: readonly Favourite[]) => Promise<readonly Favourite[]>,
): Promise<FavouriteBody[]> {
  const { userId } = userOf(asker.actor)
  const after = await needs.database.write(
    async (transaction) => {
      const before = await loadFavourites(transaction.db, userId)
      const changed = await to(before)
      if (changed !== before) await replaceFavourites(transaction, userId, changed)
      return changed
    },
    { alone: 'favourites' },
  )
  return showFavourites(needs, asker, after)
}

const askerOf = async (needs: RecordNeeds, actor: Actor): Promise<Asker> => ({
  actor,
  definitions: await needs.definitions.current(),
  now: needs.clock(),
})
