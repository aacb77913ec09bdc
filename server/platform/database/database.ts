import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { CorruptionMonitor } from './database-errors.ts'
import type { DictionaryLists } from './rows/dictionary-lists.ts'
import type { SystemTables } from './tables/system-tables.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Cell values in SQLite and PostgreSQL. Numbers are doubles; Booleans are 0/1 in SQLite. */
export type CellValue = string | number | boolean | null | Uint8Array

/** A bound parameter; row numbers in SQLite are 64-bit integers. */
export type BoundCell = CellValue | bigint

/** A row in a collection's table; the columns are known only at run time. */
export type CollectionRow = { [column: string]: CellValue }

/** System tables, plus the tables of collections (`c_<id>`) and list fields (`l_<id>`). */
export type Tables = SystemTables & { [table: `c_${string}` | `l_${string}`]: CollectionRow }

export type Reader = Kysely<Tables>

export type BatchColumn = readonly CellValue[] | BigInt64Array | DictionaryLists

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

/** A write transaction: all changes made through `db` are committed or rolled back together. */
export type Transaction = {
  readonly dialect: Dialect
  readonly db: Kysely<Tables>
  /**
   * Queues a statement without waiting for its result. Statements run in order; the last statement is sent together
   * with the commit. If a statement fails, the whole transaction fails. `answered` receives the rows before the
   * transaction resolves.
   */
  readonly send: <Row>(query: CompiledQuery<Row>, answered?: (rows: readonly Row[]) => void) => void
  /** Runs after the commit; never after a rollback. For caches, events and files. */
  readonly afterCommit: (action: () => void) => void
  /**
   * Notifies other processes that use this database after the commit, never after a rollback. Does nothing on SQLite,
   * where no other process has a cache. Limited to `MAX_NOTIFICATION_BYTES`.
   */
  readonly tellOthers: (message: string) => void
  /** Runs one statement for each list of parameters; used by `insert-rows.ts`. */
  readonly runForEach: (statement: string, rows: readonly (readonly BoundCell[])[]) => Promise<void>
  /**
   * Like `runForEach`, for rows packed by another thread, whose bytes are transferred instead of copied. SQLite only.
   */
  readonly runForPacked?: (batch: PackedBatch) => Promise<void>
  /** Only for a write with `isOptimistic`, on SQLite. */
  readonly optimistic?: OptimisticReads | undefined
}

/** Reads outside the transaction that save waiting for the writer thread. */
export type OptimisticReads = {
  /** Reads committed rows by key on the event loop; undefined if that would take too long. */
  readonly read: <Row>(query: CompiledQuery<Row>) => readonly Row[] | undefined
  /** The write is repeated if a query within the transaction doesn't return this value. */
  readonly expect: (query: CompiledQuery, value: CellValue) => void
}

/** PostgreSQL limits messages to 8000 bytes, including the sender's name. */
export const MAX_NOTIFICATION_BYTES = 7500

export type ClusterListener = {
  /** Receives messages that other processes send on commit; a process never receives its own messages. */
  readonly onMessage: (message: string) => void
  /** Called when messages may have been missed, so all cached data may be stale. */
  readonly missed: () => void
}

export type WriteOptions = {
  /**
   * Writes with the same name never overlap, and each starts after the `afterCommit` actions of the previous write. On
   * SQLite, no other write starts before this write is committed. Used for cached definitions.
   */
  readonly alone?: string
  /**
   * On PostgreSQL, no other write that locks the definitions can run at the same time. On SQLite, all writes are
   * exclusive anyway.
   */
  readonly isQuiet?: boolean
  /**
   * On PostgreSQL, uses read committed isolation: there are no serialization failures, so the write must lock the rows
   * that it reads.
   */
  readonly locksItself?: boolean
  /**
   * For writes that take many milliseconds: on SQLite, those before them are committed first, and they take turns with
   * shorter ones.
   */
  readonly isLong?: boolean
  /**
   * For steps of work whose progress is part of the write: on SQLite, a power failure can undo it, unless a later write
   * without this option was resolved. Saves waiting for the disk, for which other writes wait as well.
   */
  readonly mayBeLost?: boolean
  /** Time limit in ms on SQLite, for single statements on many millions of rows. */
  readonly limitMs?: number
  /**
   * On SQLite, `work` may read committed data through `Transaction.optimistic` instead of waiting for the writer thread.
   * If the data has changed in the meantime, `work` runs again without it.
   */
  readonly isOptimistic?: boolean
}

/** A maintenance task; each statement runs separately, without a time limit. */
export type MaintenanceTask<Answer> = {
  /** Only one process at a time can run maintenance with the same name. */
  readonly name: string
  readonly work: (run: (statement: string) => Promise<void>) => Promise<Answer>
  /** Cancels running work where possible and rejects new work. */
  readonly signal: AbortSignal
}

export type QueueLoad = { readonly places: number; readonly taken: number; readonly waiting: number }

export type Database = {
  readonly dialect: Dialect
  /** Reads outside the event loop. Each statement sees everything that was committed before it started. */
  readonly read: Reader
  /**
   * Reads one row by key. On SQLite, the read runs on the event loop as long as such reads are fast enough; on
   * PostgreSQL, it is the same as `read`.
   */
  readonly readByKey: Reader
  /**
   * Reads at most a few hundred rows, regardless of table size. On SQLite, the statement runs on the event loop once it
   * has proved to be fast in a thread; on PostgreSQL, it is the same as `read`.
   */
  readonly readBriefly: Reader
  /**
   * Runs `work` in a transaction and resolves once it is durable. On SQLite, writes are serialized and queued writes
   * share one fsync (group commit); if `work` throws, only its own changes are rolled back. On PostgreSQL, writes are
   * serializable and retried after conflicts, so `work` must have no effects other than SQL. Never call `write` inside
   * `work`; pass the transaction instead.
   */
  readonly write: <Answer>(
    work: (transaction: Transaction) => Promise<Answer>,
    options?: WriteOptions,
  ) => Promise<Answer>
  /**
   * Runs maintenance that can't run in a transaction; undefined if another process is already running it or a definition
   * change interrupted it.
   */
  readonly maintain: <Answer>(upkeep: MaintenanceTask<Answer>) => Promise<Answer | undefined>
  /** Starts listening to other processes and returns a function that stops it. Reconnects after a lost connection. */
  readonly listenToOthers: (otherInstances: ClusterListener) => Promise<() => Promise<void>>
  readonly hasOthers: () => Promise<boolean>
  /**
   * Waits until notifications of all earlier commits by other processes have been received; returns immediately if
   * there are no other processes.
   */
  readonly catchUp: () => Promise<void>
  readonly load: () => { readonly read: QueueLoad; readonly write: QueueLoad }
  readonly damage: CorruptionMonitor
  /** Waits for running work and closes all connections. */
  readonly close: () => Promise<void>
}

export type DialectTypes = {
  /** Text type with byte-order collation, so that both databases compare text like `domain/shared/compare-text.ts`. */
  readonly text: string
  /** Type of integers up to 2^53. */
  readonly integer: string
}

export const DIALECT_TYPES: { readonly [dialect in Dialect]: DialectTypes } = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text collate "C"', integer: 'bigint' },
}

/**
 * Identifies a commit in the change log. A snapshot shows exactly which commits it includes, so a count read during
 * concurrent writes can be updated with the missing commits.
 */
export type CommitId = bigint

export type CommitSnapshot = { readonly includes: (mark: CommitId) => boolean }

/**
 * The current write's commit ID, returned as a column when inserting into the change log. SQLite has a single writer,
 * so the entry's row ID suffices; PostgreSQL uses its transaction ID.
 */
export const COMMIT_ID: { readonly [dialect in Dialect]: string } = {
  sqlite: 'cast(rowid as text)',
  postgres: 'cast(pg_current_xact_id() as text)',
}

export const commitSnapshotColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite'
    ? sql<string>`(select cast(coalesce(max(rowid), 0) as text) from changes)`
    : sql<string>`cast(pg_current_snapshot() as text)`

/**
 * Parses a snapshot cell: on SQLite, the ID of the last change log entry; on PostgreSQL, `xmin:xmax:` followed by the
 * transactions in progress.
 */
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
