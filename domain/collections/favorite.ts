import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { ViewId } from '#domain/views/view.ts'

export type Favorite = {
  readonly id: string
  readonly collection: CollectionId
  readonly view: ViewId | null
  readonly record: RecordId | null
}

/** Keeps the list of favorites short enough to be useful. */
export const MAX_FAVORITES = 100

export type FavoriteTarget = Pick<Favorite, 'collection' | 'view' | 'record'>

/** Whether two favorites refer to the same target. */
export const isSameTarget = (one: FavoriteTarget, other: FavoriteTarget): boolean =>
  one.collection === other.collection && one.view === other.view && one.record === other.record

/** Puts the given favorites first, in the given order, followed by the others. */
export function applyFavoriteOrder(favorites: readonly Favorite[], ids: readonly string[]): readonly Favorite[] {
  const named = ids.flatMap((id) => favorites.find((each) => each.id === id) ?? [])
  return [...new Set([...named, ...favorites])]
}
