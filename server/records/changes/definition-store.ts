import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Reader } from '#server/platform/database/database.ts'

/** A former definition, and the ID of the log entry that replaced it. */
export type FormerDefinition = { readonly until: string; readonly definition: Collection }

export const DEFINITION_KINDS = [
  'collection-created',
  'collection-changed',
  'collection-deleted',
  'view-created',
  'view-changed',
  'view-deleted',
] as const

export type DefinitionKind = (typeof DEFINITION_KINDS)[number]

/** A change of a collection or shared view, with full definitions. */
export type LoggedDefinition = {
  readonly id: string
  readonly kind: DefinitionKind
  readonly collection: CollectionId
  readonly before: Json | null
  readonly after: Json | null
}

const definitionRows = (db: Reader) =>
  db.selectFrom('changes').select(['id', 'kind', 'collection_id', 'before', 'after'])

type Row = Awaited<ReturnType<ReturnType<typeof definitionRows>['executeTakeFirstOrThrow']>>

const loggedOf = ({ id, kind, collection_id: collection, before, after }: Row): LoggedDefinition => ({
  id,
  kind: kind as DefinitionKind,
  collection: collection ?? '',
  before: before === null ? null : JSON.parse(before),
  after: after === null ? null : JSON.parse(after),
})

export async function definitionEntries(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoggedDefinition>> {
  if (ids.length === 0) return new Map()
  const rows = await definitionRows(db).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, loggedOf(row)]))
}

/** What a change set did to definitions, newest first. */
export async function definitionsChangedBy(db: Reader, changeSet: string): Promise<LoggedDefinition[]> {
  const rows = await definitionRows(db)
    .where('change_set_id', '=', changeSet)
    .where('kind', 'in', [...DEFINITION_KINDS])
    .orderBy('id', 'desc')
    .execute()
  return rows.map(loggedOf)
}

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
