import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Database, Dialect, Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { CHANGE_LOG_ID, type ChangeKind, type ChangeSource } from './change-log.ts'

/**
 * The place of an entry in commit order: its row number on SQLite, which has a single writer, or its transaction on
 * PostgreSQL. The entries of a transaction are in the order of their IDs.
 */
export type LogPosition = { readonly commit: string; readonly id: string }

export const LOG_START: LogPosition = { commit: '0', id: '' }

export type LogEntry = LogPosition & {
  readonly at: string
  readonly userId: UserId | null
  readonly via: ChangeSource | null
  readonly changeSet: string | null
  readonly kind: ChangeKind
  readonly collection: CollectionId | null
  readonly record: RecordId | null
}

export const readLogId = async (db: Reader): Promise<string> => (await readWorkspaceValue(db, CHANGE_LOG_ID)) ?? ''

type OrderInDialect = {
  readonly commit: RawBuilder<string>
  readonly columns: readonly RawBuilder<unknown>[]
  readonly isAfter: (position: LogPosition) => RawBuilder<boolean>
  /** Whether no entry that isn't visible yet can get an earlier place. */
  readonly isSettled: RawBuilder<boolean>
}

const ORDER: { readonly [dialect in Dialect]: OrderInDialect } = {
  sqlite: {
    commit: sql<string>`cast(entry.rowid as text)`,
    columns: [sql`entry.rowid`],
    isAfter: ({ commit }) => sql<boolean>`entry.rowid > cast(${commit} as integer)`,
    isSettled: sql<boolean>`true`,
  },
  postgres: {
    commit: sql<string>`cast(entry.transaction_id as text)`,
    columns: [sql`entry.transaction_id`, sql`entry.id`],
    isAfter: ({ commit, id }) => sql<boolean>`(entry.transaction_id, entry.id) > (cast(${commit} as xid8), ${id})`,
    // All earlier transactions have ended.
    isSettled: sql<boolean>`entry.transaction_id < pg_snapshot_xmin(pg_current_snapshot())`,
  },
}

/** The position of the entry with this ID; undefined if there is none. */
export async function positionOf({ dialect, read }: Database, id: string): Promise<LogPosition | undefined> {
  return read
    .selectFrom('changes as entry')
    .select(['entry.id', ORDER[dialect].commit.as('commit')])
    .where('entry.id', '=', id)
    .executeTakeFirst()
}

/** Entries after a position, in commit order. */
export async function entriesAfter(database: Database, position: LogPosition, limit: number): Promise<LogEntry[]> {
  const { columns, isAfter } = ORDER[database.dialect]
  const rows = await columns
    .reduce((query, column) => query.orderBy(column), settledEntries(database).where(isAfter(position)))
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

/** The last entries of the log, in commit order. */
export async function lastEntries(database: Database, limit: number): Promise<LogEntry[]> {
  const rows = await ORDER[database.dialect].columns
    .reduce((query, column) => query.orderBy(column, 'desc'), settledEntries(database))
    .limit(limit)
    .execute()
  return rows.map(entryOf).reverse()
}

const settledEntries = ({ dialect, read }: Database) =>
  read
    .selectFrom('changes as entry')
    .leftJoin('change_sets as set', 'set.id', 'entry.change_set_id')
    .select(['entry.id', 'entry.at', 'entry.user_id', 'entry.kind', 'entry.collection_id', 'entry.record_id'])
    .select(['entry.change_set_id', 'set.via', ORDER[dialect].commit.as('commit')])
    .where(ORDER[dialect].isSettled)

type EntryRow = Awaited<ReturnType<ReturnType<typeof settledEntries>['executeTakeFirstOrThrow']>>

const entryOf = (row: EntryRow): LogEntry => ({
  id: row.id,
  commit: row.commit,
  at: row.at,
  userId: row.user_id,
  via: row.via as ChangeSource | null,
  changeSet: row.change_set_id,
  kind: row.kind as ChangeKind,
  collection: row.collection_id,
  record: row.record_id,
})

/** Whether the log contains transactions that this PostgreSQL server hasn't started yet. */
export async function hasForeignOrder({ dialect, read }: Database): Promise<boolean> {
  if (dialect === 'sqlite') return false
  const { rows } = await sql`
    select id from changes where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`.execute(read)
  return rows.length > 0
}

const ENTRIES_PER_WRITE = 10_000

/** Puts the first entries that have a transaction in the order of their IDs, and gives the log a new ID. PostgreSQL only. */
export async function resetOrder({ db }: Transaction): Promise<void> {
  await sql`
    update changes set transaction_id = '0' where id in (
      select id from changes where transaction_id > '0' order by transaction_id, id limit ${ENTRIES_PER_WRITE}
    )`.execute(db)
  await storeWorkspaceValue(db, CHANGE_LOG_ID, randomUUID())
}
