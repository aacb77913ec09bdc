import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { stateBefore } from '#domain/records/record-history.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type CollectionId, idLowerBound, type RecordId, type UserId } from '#domain/shared/ids.ts'
import type { CollectionRow, Dialect, Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { column, recordColumns, rowAt, rowsOf } from '#server/query/sql/sql-context.ts'
import { HISTORY_KINDS_OF } from '#server/records/history/history-store.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'

/**
 * Log entries about records of a collection after a time. IDs are generated after the time of their entry is taken, so
 * they only limit what is read.
 */
const entriesSince = (collection: CollectionId, at: string): RawBuilder<unknown> => sql`
  from changes as entry
  where entry.collection_id = ${collection} and entry.id >= ${idLowerBound(Date.parse(at))} and entry.at > ${at}
    and entry.kind in (${sql.join([...Object.keys(HISTORY_KINDS_OF), 'record-erased'])}) and entry.record_id is not null`

/** IDs of the records that were changed after a time, for use in a statement. */
export const changedIds = (collection: CollectionId, at: string): RawBuilder<unknown> =>
  sql`select distinct entry.record_id as id ${entriesSince(collection, at)}`

/** The newest log entry about a collection. */
export async function newestEntry(db: Reader, collection: CollectionId): Promise<string | undefined> {
  const entries = db.selectFrom('changes').select('id').where('collection_id', '=', collection)
  return (await entries.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
}

export type LastChange = { readonly updatedAt: string; readonly updatedBy: UserId | null }

/** The last change before a time of each record that was changed after it, if it is in the log. */
export async function lastChangesBefore(
  db: Reader,
  collection: CollectionId,
  at: string,
): Promise<ReadonlyMap<RecordId, LastChange>> {
  const { rows } = await sql<{ id: string; updated_at: string; updated_by: string | null }>`
    select changed.id, earlier.at as updated_at, earlier.user_id as updated_by
    from (${changedIds(collection, at)}) as changed
    join changes as earlier on earlier.id = (
      select older.id from changes as older
      where older.record_id = changed.id and older.at <= ${at}
        and older.kind in (${sql.join(Object.keys(HISTORY_KINDS_OF))})
      order by older.id desc limit 1
    )`.execute(db)
  return new Map(
    rows.map(({ id, updated_at: updatedAt, updated_by: updatedBy }) => [id, { updatedAt, updatedBy }] as const),
  )
}

export const badTime = (message: string): Problem =>
  new Problem('invalid-request', message, { errors: [{ path: 'at', code: 'bad-time', message }] })

/** Maximum number of characters read for one request, because they are held in memory. */
const MAX_CHARACTERS = 64 * 1024 * 1024

function assertNotTooMuch(characters: number): void {
  if (characters > MAX_CHARACTERS) throw badTime('Too much text was changed since then. Use a later time.')
}

const charactersIn = (row: object): number =>
  Object.values(row).reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)

export async function currentRecords(
  db: Reader,
  dialect: Dialect,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<CollectionRecord[]> {
  const records: CollectionRecord[] = []
  let characters = 0
  const columns = sql.join(recordColumns(collection.fields, dialect))
  const read = (some: readonly RecordId[]) =>
    sql<CollectionRow>`
      select ${columns} from ${rowsOf(collection.id, 0)}
      where ${column(rowAt(0), 'id')} in (${sql.join(some)})`.execute(db)
  for (const step of chunkIds(ids, RECORDS_PER_STEP)) {
    for (const { rows } of await Promise.all(chunkIds(step).map(read))) {
      for (const row of rows) characters += charactersIn(row)
      records.push(...recordsOfRows(collection, rows))
    }
    assertNotTooMuch(characters)
  }
  return records
}

/** Records read at the same time, by several statements. */
const RECORDS_PER_STEP = 2000

/** Entries read at once: long texts may take a lot of memory. */
const ENTRIES_PER_STEP = 2000

/** How a record differs from its current state at a time. */
export type PastState = {
  /** The values that differ, or all if `isWhole`; null if the record didn't exist. */
  readonly values: RecordValues | null
  readonly isWhole: boolean
  /** By how much its version was lower. */
  readonly versions: number
  /** Whether its history was erased since. */
  readonly isErased: boolean
}

const UNCHANGED: PastState = { values: {}, isWhole: false, versions: 0, isErased: false }

/** The records that were changed after a time, as they were then; throws if there are more than `limit`. */
export async function statesAt(
  db: Reader,
  collection: CollectionId,
  at: string,
  limit: number,
): Promise<ReadonlyMap<RecordId, PastState>> {
  const states = new Map<RecordId, PastState>()
  let characters = 0
  for (let last: string | undefined; ; ) {
    const older = last === undefined ? sql`` : sql` and entry.id < ${last}`
    const { rows } = await sql<EntryRow>`
      select entry.id, entry.record_id as record, entry.kind, entry.before, entry.after
      ${entriesSince(collection, at)}${older} order by entry.id desc limit ${sql.lit(ENTRIES_PER_STEP)}`.execute(db)
    for (const row of rows) characters += charactersIn(row)
    assertNotTooMuch(characters)
    for (const row of rows) states.set(row.record, stateBeforeRow(row, states.get(row.record) ?? UNCHANGED))
    if (states.size > limit) {
      const max = limit.toLocaleString('en')
      throw badTime(`More than ${max} records were changed since then. Use a later time.`)
    }
    if (rows.length < ENTRIES_PER_STEP) return states
    last = rows.at(-1)?.id
  }
}

type EntryRow = {
  readonly id: string
  readonly record: RecordId
  readonly kind: string
  readonly before: string | null
  readonly after: string | null
}

function stateBeforeRow({ kind: stored, before, after }: EntryRow, state: PastState): PastState {
  if (state.isErased || stored === 'record-erased') return { ...state, isErased: true }
  const kind = HISTORY_KINDS_OF[stored] ?? 'changed'
  const isDeletion = kind === 'deleted'
  return {
    values: stateBefore({ kind, before: parsed(before), after: parsed(after) }, state.values),
    isWhole: state.isWhole || isDeletion || state.values === null,
    versions: state.versions + (isDeletion ? 0 : 1),
    isErased: false,
  }
}

const parsed = (text: string | null): RecordValues | null => (text === null ? null : JSON.parse(text))
