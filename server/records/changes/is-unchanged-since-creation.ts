import type { CollectionId, UserId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'

/**
 * Whether this user created these collections together and nothing changed since. Read from the log, where one write
 * has one timestamp.
 */
export async function isUnchangedSinceCreation(
  { db }: Transaction,
  collections: readonly CollectionId[],
  user: UserId | null,
): Promise<boolean> {
  const writes = await db
    .selectFrom('changes')
    .select(['at', 'user_id'])
    .distinct()
    .where('collection_id', 'in', [...collections])
    // Two entries are enough to decide; the log of a large collection is long.
    .limit(2)
    .execute()
  const made = await db
    .selectFrom('changes')
    .select('collection_id')
    .where('collection_id', 'in', [...collections])
    .where('kind', '=', 'collection-created')
    .execute()
  return writes.length === 1 && writes[0]?.user_id === user && made.length === new Set(collections).size
}
