import type { Favorite } from '#domain/collections/favorite.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'

export async function loadFavorites(db: Reader, user: UserId): Promise<Favorite[]> {
  const rows = await db
    .selectFrom('favourites')
    .selectAll()
    .where('user_id', '=', user)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, collection: row.collection_id, view: row.view_id, record: row.record_id }))
}

export async function replaceFavorites(
  { db }: Transaction,
  user: UserId,
  favourites: readonly Favorite[],
): Promise<void> {
  await db.deleteFrom('favourites').where('user_id', '=', user).execute()
  if (favourites.length === 0) return
  await db
    .insertInto('favourites')
    .values(
      favourites.map(({ id, collection, view, record }, position) => ({
        id,
        user_id: user,
        collection_id: collection,
        view_id: view,
        record_id: record,
        position,
      })),
    )
    .execute()
}
