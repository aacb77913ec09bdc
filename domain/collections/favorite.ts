import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { ViewId } from '#domain/views/view.ts'

/** A user's favorite: a collection, or a view or record of one. */
export type Favorite = {
  readonly id: string
  readonly collection: CollectionId
  readonly view: ViewId | null
  readonly record: RecordId | null
}

/** How many one can keep: more than one finds among is no help any more. */
export const MAX_FAVORITES = 100

/** What a favorite refers to, without its owner and position. */
export type FavoriteTarget = Pick<Favorite, 'collection' | 'view' | 'record'>

/** Whether two favourites speak of the same. */
export const isSameTarget = (one: FavoriteTarget, other: FavoriteTarget): boolean =>
  one.collection === other.collection && one.view === other.view && one.record === other.record

/** Favourites in another order: those that are named first, as they are named, the others behind as they were. */
export function applyFavoriteOrder(favorites: readonly Favorite[], ids: readonly string[]): readonly Favorite[] {
  const named = ids.flatMap((id) => favorites.find((each) => each.id === id) ?? [])
  return [...new Set([...named, ...favorites])]
}
