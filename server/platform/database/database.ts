import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { CorruptionMonitor } from './database-errors.ts'
import type { DictionaryLists } from './rows/dictionary-lists.ts'
import type { SystemTables } from './tables/system-tables.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Values of a table cell in both dialects. Numbers are doubles; Booleans are 0/1 in SQLite. */
export type CellValue = string | number | boolean | null | Uint8Array

/** A row of a collection's table; its columns are known only at run time. */
export type CollectionRow = { [column: string]: CellValue }

/** System tables, and the tables of collections (`c_<id>`) and of their list fields (`l_<id>`). */
export type Tables = SystemTables & { [table: `c_${string}` | `l_${string}`]: CollectionRow }

export type Reader = Kysely<Tables>

export type BatchColumn = readonly CellValue[] | DictionaryLists

export type BatchList = {
  readonly statement: string
  readonly owners: readonly CellValue[]
  readonly picks: DictionaryLists
}

export type PackedBatch = {
  readonly statement: string
  readonly packed: Uint8Array<ArrayBuffer>
  readonly count: number
  readonly columns: readonly BatchColumn[]
  readonly lists: readonly BatchList[]
  readonly leftOut: ReadonlySet<number>
}

/** A write in progress: all its changes made through `db` are committed together or rolled back. */
export type Transaction = {
  readonly dialect: Dialect
  readonly db: Kysely<Tables>
  /**
   * Queues a statement without waiting for its result, in order with the others: the last one is sent together with the
   * commit. If it fails, the whole write fails. `answered` receives its rows before the write resolves.
   */
  readonly send: <Row>(query: CompiledQuery<Row>, answered?: (rows: readonly Row[]) => void) => void
  /** Runs after the commit; never after a rollback. For caches, events and files. */
  readonly afterCommit: (action: () => void) => void
  /**
   * Notifies the other processes on this database after the commit, never after a rollback. On SQLite no other
   * process has a cache. Limited to `MOST_TOLD_BYTES`.
   */
  readonly tellOthers: (message: string) => void
  /** Runs one statement for each list of parameters; the basis of `insert-rows.ts`. */
  readonly runForEach: (statement: string, rows: readonly (readonly CellValue[])[]) => Promise<void>
  /** The same for rows packed by another thread, whose bytes are transferred, not copied. SQLite only. */
  readonly runForPacked?: (batch: PackedBatch) => Promise<void>
  /**
   * On SQLite runs a statement right before the commit, once for all writes that share it, with the JSON list of
   * their IDs. For derived data that is expensive to update row by row, such as full-text indexes. Not visible within
   * the write.
   */
  readonly atCommit: (statement: string, ids: readonly string[]) => void
}

/** PostgreSQL limits messages to 8000 bytes, including the name of the sender. */
export const MAX_NOTIFICATION_BYTES = 7500

export type ClusterListener = {
  /** A message from another process, sent after its commit; a process doesn't receive its own. */
  readonly onMessage: (message: string) => void
  /** Messages may have been missed: everything cached before this call may be stale. */
  readonly missed: () => void
}

export type WriteOptions = {
  /**
   * Writes with the same name never overlap, each starts after the `afterCommit` of the previous one, and on SQLite no
   * other write starts before this one is committed. For cached definitions.
   */
  readonly alone?: string
  /** On PostgreSQL, this write excludes all writes that lock the definitions; on SQLite, all writes are exclusive. */
  readonly isQuiet?: boolean
  /**
   * On PostgreSQL uses read committed: there are no serialization failures, so the write must lock the rows it reads.
   */
  readonly locksItself?: boolean
  /** Takes many ms: on SQLite, shorter writes queued before it are committed first and don't wait for it. */
  readonly isLong?: boolean
}

/** Maintenance: each statement is separate and has no time limit. */
export type MaintenanceTask<Answer> = {
  /** For each name, only one process at a time runs the maintenance. */
  readonly name: string
  readonly work: (run: (statement: string) => Promise<void>) => Promise<Answer>
  /** Cancels running work where possible and rejects new work. */
  readonly signal: AbortSignal
}

export type QueueLoad = { readonly places: number; readonly taken: number; readonly waiting: number }

export type Database = {
  readonly dialect: Dialect
  /** Reads off the event loop; each statement sees everything that was committed before it started. */
  readonly read: Reader
  /**
   * Reads one row by key. On SQLite it runs on the event loop as long as it is fast enough; on PostgreSQL it equals
   * `read`.
   */
  readonly readByKey: Reader
  /**
   * Reads at most a few hundred rows, regardless of the table size. On SQLite it runs on the event loop once a
   * measurement in a thread has shown that it is fast; on PostgreSQL it equals `read`.
   */
  readonly readBriefly: Reader
  /**
   * Runs `work` in a transaction and resolves once it is durable. On SQLite writes are serialized and waiting ones
   * share one fsync (group commit); a `work` that throws rolls back only its own changes. On PostgreSQL writes are
   * serializable and retried after a conflict, so `work` may have no effect other than SQL. Never call `write` inside
   * `work`: pass the transaction on.
   */
  readonly write: <Answer>(
    work: (transaction: Transaction) => Promise<Answer>,
    options?: WriteOptions,
  ) => Promise<Answer>
  /** Runs maintenance that can't be part of a transaction; undefined if another process is running it. */
  readonly maintain: <Answer>(upkeep: MaintenanceTask<Answer>) => Promise<Answer | undefined>
  /** Starts listening to other processes; returns a function to stop. Lost connections are re-established. */
  readonly listenToOthers: (otherInstances: ClusterListener) => Promise<() => Promise<void>>
  readonly hasOthers: () => Promise<boolean>
  /**
   * Waits until all commits that other processes made before this call are received; immediate if there are no other
   * processes.
   */
  readonly catchUp: () => Promise<void>
  readonly load: () => { readonly read: QueueLoad; readonly write: QueueLoad }
  readonly damage: CorruptionMonitor
  /** Waits for running work and closes every connection. */
  readonly close: () => Promise<void>
}

export type DialectTypes = {
  /** Text type with byte order: both databases compare it in the same way as `domain/shared/compare-text.ts`. */
  readonly text: string
  /** Type of integers up to 2^53. */
  readonly integer: string
}

export const DIALECT_TYPES: { readonly [dialect in Dialect]: DialectTypes } = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text collate "C"', integer: 'bigint' },
}

/**
 * Identifies a commit to the change log. Whether a statement saw it is known exactly, so that a count read during
 * writes is corrected by exactly those changes that it did not see.
 */
export type CommitId = bigint

export type CommitSnapshot = { readonly includes: (mark: CommitId) => boolean }

/**
 * The marker of the current write, as a column returned by an insert into the change log. SQLite has one writer, so
 * the entry's number suffices; PostgreSQL numbers every transaction.
 */
export const commitIdColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite' ? sql<string>`cast(rowid as text)` : sql<string>`cast(pg_current_xact_id() as text)`

export const commitSnapshotColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite'
    ? sql<string>`(select cast(coalesce(max(rowid), 0) as text) from changes)`
    : sql<string>`cast(pg_current_snapshot() as text)`

/** Parses a `viewColumn` cell: on SQLite the last entry, on PostgreSQL `xmin:xmax:` and the transactions in between. */
export function parseCommitSnapshot(cell: string): CommitSnapshot {
  const [first = '0', end, underWay = ''] = cell.split(':')
  if (end === undefined) {
    const last = BigInt(first)
    return { includes: (mark) => mark <= last }
  }
  const [oldest, next] = [BigInt(first), BigInt(end)]
  const running = new Set(underWay === '' ? [] : underWay.split(',').map(BigInt))
  return { includes: (mark) => mark < oldest || (mark < next && !running.has(mark)) }
}

export const EMPTY_SNAPSHOT: CommitSnapshot = { includes: () => false }
