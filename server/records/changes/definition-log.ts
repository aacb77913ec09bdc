import { DEFINITION_KINDS } from '#api/activity.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import type { Reader } from '#server/platform/database/database.ts'

export type DefinitionKind = (typeof DEFINITION_KINDS)[number]

/** A change of a collection, shared view or shared dashboard, with full definitions. */
export type LoggedDefinition = {
  readonly id: string
  readonly kind: DefinitionKind
  /** Empty for changes of dashboards. */
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
