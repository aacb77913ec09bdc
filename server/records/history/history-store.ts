import { sql } from 'kysely'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide, hasPermission } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HistoryEntry, HistoryKind } from '#domain/records/record-history.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { ChangeSource } from '#server/records/changes/change-log.ts'

export type StoredEntry = HistoryEntry & {
  readonly id: string
  readonly at: string
  readonly userId: UserId | null
  readonly note: string | null
  readonly changeSet: string | null
  readonly via: ChangeSource | null
  readonly sourceId: string | null
  /** Length of its values as JSON text. */
  readonly bytes: number
  /** Whether it isn't in the log. */
  readonly isDerived?: true
  /** Whether its values were erased, so that earlier states aren't known. */
  readonly isErased?: true
}

export const HISTORY_KINDS_OF: { readonly [kind: string]: HistoryKind } = {
  'record-created': 'created',
  'record-changed': 'changed',
  'record-moved': 'moved',
  'record-deleted': 'deleted',
  'record-restored': 'restored',
}

type EntryPage = { readonly before: string | undefined; readonly limit: number }

/** Entries of a record, newest first. */
export async function findEntries(db: Reader, record: RecordId, { before, limit }: EntryPage): Promise<StoredEntry[]> {
  const rows = await entries(db)
    .select(['entry.before', 'entry.after'])
    .where('entry.record_id', '=', record)
    .$if(before !== undefined, (older) => older.where('entry.id', '<', before ?? ''))
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

/** Maximum length of an entry's values, in bytes, for reading it together with those of other records. */
const MAX_BYTES_AMONG_OTHERS = 32 * 1024

/** The newest entries of each of these records, newest first; absent for records with long ones. */
export async function newestEntries(
  db: Reader,
  records: readonly RecordId[],
  limit: number,
): Promise<ReadonlyMap<RecordId, readonly StoredEntry[]>> {
  const found = new Map<RecordId, StoredEntry[]>(records.map((id) => [id, []]))
  for (const some of chunkIds(records)) {
    const listed = sql.join(some.map((id) => sql`(${id})`))
    const rows = await entries(db)
      // Both databases call the column of a list of values `column1`.
      .innerJoin(sql<{ column1: RecordId }>`(values ${listed})`.as('listed'), 'listed.column1', 'entry.record_id')
      .select(['listed.column1 as record', BYTES.as('bytes'), ifShort('before'), ifShort('after')])
      .where((eb) => {
        const oldest = eb
          .selectFrom('changes as older')
          .select('older.id')
          .whereRef('older.record_id', '=', 'listed.column1')
          .orderBy('older.id', 'desc')
          .offset(limit - 1)
          .limit(1)
        return eb('entry.id', '>=', eb.fn.coalesce(oldest, eb.val('')))
      })
      .orderBy('entry.id', 'desc')
      .execute()
    for (const row of rows) {
      if (Number(row.bytes) > MAX_BYTES_AMONG_OTHERS) found.delete(row.record)
      else found.get(row.record)?.push(entryOf(row))
    }
  }
  return found
}

const BYTES = sql<number>`coalesce(octet_length(entry.before), 0) + coalesce(octet_length(entry.after), 0)`

const ifShort = <Name extends 'before' | 'after'>(name: Name) =>
  sql<string | null>`case when ${BYTES} <= ${sql.lit(MAX_BYTES_AMONG_OTHERS)} then ${sql.ref(`entry.${name}`)} end`.as(
    name,
  )

const entries = (db: Reader) =>
  db
    .selectFrom('changes as entry')
    .leftJoin('change_sets as set', 'set.id', 'entry.change_set_id')
    .select(['entry.id', 'entry.at', 'entry.user_id', 'entry.kind', 'entry.note'])
    .select(['set.id as set_id', 'set.via', 'set.source_id'])
    .where('entry.kind', 'in', [...Object.keys(HISTORY_KINDS_OF), 'record-erased'])

type EntryRow = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>> & {
  readonly before: string | null
  readonly after: string | null
}

const entryOf = (row: EntryRow): StoredEntry => ({
  id: row.id,
  at: row.at,
  userId: row.user_id,
  kind: HISTORY_KINDS_OF[row.kind] ?? 'changed',
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
  note: row.note,
  changeSet: row.set_id,
  via: row.via as ChangeSource | null,
  sourceId: row.source_id,
  bytes: (row.before?.length ?? 0) + (row.after?.length ?? 0),
  ...(row.kind === 'record-erased' && { isErased: true }),
})

/** The imports that created records; null for the others. */
export async function importsOf(
  db: Reader,
  collection: CollectionId,
  records: readonly RecordId[],
): Promise<ReadonlyMap<RecordId, string | null>> {
  const imports = new Map<RecordId, string | null>()
  for (const some of chunkIds(records)) {
    const { rows } = await sql<{ id: string; import_id: string | null }>`
      select id, import_id from ${sql.table(`c_${collection}`)} where id in (${sql.join(some)})`.execute(db)
    for (const { id, import_id: imported } of rows) imports.set(id, imported)
  }
  return imports
}

type Reading = { readonly actor: Actor; readonly collection: Collection | undefined }

/**
 * Names of API tokens and imported files, by ID. Those of other users are only for actors who may manage users, or
 * import into the collection.
 */
export async function sourceNames(
  db: Reader,
  { actor, collection }: Reading,
  entries: readonly Pick<StoredEntry, 'via' | 'userId' | 'sourceId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const me = userIdOf(actor)
  const idsOf = (source: ChangeSource, seesAll: boolean) => {
    const own = entries.filter(({ via, userId }) => via === source && (seesAll || (me !== null && userId === me)))
    return [...new Set(own.flatMap(({ sourceId }) => sourceId ?? []))]
  }
  for (const ids of chunkIds(idsOf('token', hasPermission(actor, 'users:manage')))) {
    const rows = await db.selectFrom('api_tokens').select(['id', 'name']).where('id', 'in', ids).execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  for (const ids of chunkIds(idsOf('import', decide(actor, 'records:import', collection).allowed))) {
    const rows = await db.selectFrom('imports').select(['id', 'file_name']).where('id', 'in', ids).execute()
    for (const { id, file_name: name } of rows) names.set(id, name)
  }
  return names
}
