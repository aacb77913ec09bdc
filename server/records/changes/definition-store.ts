import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

/** A former definition, and the ID of the log entry that replaced it. */
export type FormerDefinition = { readonly until: string; readonly definition: Collection }

/** The kind is a literal, so that SQLite uses the partial index `changes_definitions`. */
const definitionChanges = (db: Reader, collection: CollectionId, entry: string) =>
  db
    .selectFrom('changes')
    .select(['id', 'before'])
    .where('collection_id', '=', collection)
    .where('kind', '=', sql.lit('collection-changed'))
    .where('id', '>', entry)
    .orderBy('id')

/** Definitions of a collection before each of its changes since a log entry, oldest first. */
export async function definitionsSince(
  db: Reader,
  collection: CollectionId,
  entry: string,
): Promise<readonly FormerDefinition[]> {
  const rows = await definitionChanges(db, collection, entry).execute()
  return rows.flatMap(({ id, before }) => (before === null ? [] : [{ until: id, definition: JSON.parse(before) }]))
}

/** The definition of a collection when a log entry was written; undefined if it has not changed since. */
export async function definitionAt(db: Reader, id: CollectionId, entry: string): Promise<Collection | undefined> {
  const row = await definitionChanges(db, id, entry).limit(1).executeTakeFirst()
  return row === undefined || row.before === null ? undefined : JSON.parse(row.before)
}
