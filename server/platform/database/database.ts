import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { CorruptionMonitor } from './errors/corruption.ts'
import type { DictionaryLists } from './rows/dictionary-lists.ts'
import type { SystemTables } from './tables/system-tables.ts'

/** Which of the two databases speaks. */
export type Dialect = 'sqlite' | 'postgres'

/** What a cell of a table can hold, in both dialects. Numbers are doubles, truth is 0/1 in SQLite. */
export type CellValue = string | number | boolean | null | Uint8Array

/** A row of a collection's table; its columns are known only at run time. */
export type CollectionRow = { [column: string]: CellValue }

/** Our own tables, and the tables of collections (`c_<id>`) and of their list fields (`l_<id>`). */
export type Tables = SystemTables & { [table: `c_${string}` | `l_${string}`]: CollectionRow }

/** A connection that may only read. */
export type Reader = Kysely<Tables>

/** A column of a batch: a cell for each row, or what each row picked, the first of it. */
export type BatchColumn = readonly CellValue[] | DictionaryLists

/** Rows of a list table: what each row of a batch picked, with its place, under what the row is known by. */
export type BatchList = {
  readonly statement: string
  readonly owners: readonly CellValue[]
  readonly picks: DictionaryLists
}

/** Rows as they travel to where they are written. */
export type PackedBatch = {
  /** Run for each row with its packed cells, as `packed-rows.ts` packs them, and behind them one of each column. */
  readonly statement: string
  readonly packed: Uint8Array<ArrayBuffer>
  readonly count: number
  readonly columns: readonly BatchColumn[]
  /** Run for each entry with its row's owner, its place and its text. */
  readonly lists: readonly BatchList[]
  /** Rows that are not stored. */
  readonly leftOut: ReadonlySet<number>
}

/** A write on its way: everything done through `db` is stored together or not at all. */
export type Transaction = {
  readonly dialect: Dialect
  readonly db: Kysely<Tables>
  /**
   * Runs a statement that the work does not wait for, in its turn among the others: what is sent last goes to the database
   * together with the commit. Should it fail, the whole write fails of it. `answered` hears its rows before the write is
   * answered.
   */
  readonly send: <Row>(query: CompiledQuery<Row>, answered?: (rows: readonly Row[]) => void) => void
  /** Runs once the transaction is safely on disk; never when it is rolled back. For caches, events and files. */
  readonly afterCommit: (action: () => void) => void
  /**
   * Tells the other processes on this database, once the transaction is safely on disk and never when it is rolled back.
   * On SQLite there are none that keep anything in memory. `MOST_TOLD_BYTES` at most.
   */
  readonly tellOthers: (message: string) => void
  /** Runs one statement for each list of parameters; `insert-rows.ts` is built on it. */
  readonly runForEach: (statement: string, rows: readonly (readonly CellValue[])[]) => Promise<void>
  /** The same for rows that another thread packed; their bytes are handed over, not copied. SQLite alone has it. */
  readonly runForPacked?: (batch: PackedBatch) => Promise<void>
  /**
   * Has SQLite run a statement right before the commit, once for all writes that share it: its one parameter is the JSON
   * list of the ids they name. For what follows from rows and is dear to make bit by bit, as full-text indexes are.
   * Nothing inside a write may read what it makes.
   */
  readonly atCommit: (statement: string, ids: readonly string[]) => void
}

/** PostgreSQL carries no longer messages: 8000 bytes with the name of the process that sends them. */
export const MAX_NOTIFICATION_BYTES = 7500

/** Hears what other processes on the same database tell. */
export type ClusterListener = {
  /** One message of another process, after its commit; those of this process never come back. */
  readonly heard: (message: string) => void
  /** Messages may have been missed: nothing that was known of the database before this call is sure any more. */
  readonly missed: () => void
}

/** How a write stands to the others. */
export type WriteOptions = {
  /**
   * Writes with the same name never run beside one another, each begins after the `afterCommit` of the one before, and
   * on SQLite nothing begins before this one is on disk. For changes of definitions, which live in caches.
   */
  readonly alone?: string
  /**
   * On PostgreSQL this write begins when no other that holds the definitions is under way, and none begins beside it. So it
   * never meets one of them, however many there are, and is over in a moment; on SQLite all writes are like that.
   */
  readonly isQuiet?: boolean
  /**
   * On PostgreSQL each statement sees what is committed by then, and nothing is undone because it met another write:
   * whoever writes so locks the rows it reads. For work in the background that everybody else meets all the time.
   */
  readonly locksItself?: boolean
  /** It takes many ms: on SQLite the short ones before it are committed first, and do not wait for it. */
  readonly isLong?: boolean
}

/** Upkeep: each of its statements stands for itself and takes as long as it needs. */
export type MaintenanceTask<Answer> = {
  /** One process at a time does the upkeep of a name. */
  readonly name: string
  readonly work: (run: (statement: string) => Promise<void>) => Promise<Answer>
  /** Ends what is under way where the database can, and lets nothing more begin. */
  readonly signal: AbortSignal
}

/** A line in front of the database: how many can be served at once, how many are, and how many wait for that. */
export type QueueLoad = { readonly places: number; readonly taken: number; readonly waiting: number }

/** The one door to the database, the same for SQLite and PostgreSQL. */
export type Database = {
  readonly dialect: Dialect
  /** Reads, off the event loop; each statement sees everything committed before it began. */
  readonly read: Reader
  /**
   * Reads of one row by its key, and of nothing else. On SQLite they run on the event loop as long as they are as quick
   * as they should be; on PostgreSQL this is the same as `read`.
   */
  readonly readByKey: Reader
  /**
   * Reads that look at a few hundred rows at most, whatever is in the table. On SQLite they run on the event loop where a
   * thread found them quick, for as long as they are; on PostgreSQL this is the same as `read`.
   */
  readonly readBriefly: Reader
  /**
   * Runs `work` in a transaction and answers once it is durable. On SQLite all writes stand in one line and those that
   * wait share one fsync (group commit); a `work` that throws undoes only its own. On PostgreSQL writes run side by
   * side as if in a line; one that met another is run again, so `work` does nothing but SQL and leaves no other trace.
   * Never call `write` inside `work`: hand the transaction on.
   */
  readonly write: <Answer>(
    work: (transaction: Transaction) => Promise<Answer>,
    options?: WriteOptions,
  ) => Promise<Answer>
  /** Does upkeep that no write can contain; undefined where another process is at it. */
  readonly maintain: <Answer>(upkeep: MaintenanceTask<Answer>) => Promise<Answer | undefined>
  /**
   * Listens to other processes from now on, and answers once it does, as far as it can; the answer ends it. What breaks
   * is mended in the background.
   */
  readonly hearOthers: (neighbours: ClusterListener) => Promise<() => Promise<void>>
  /** Whether other processes listen at this moment. */
  readonly hasOthers: () => Promise<boolean>
  /** Waits until all that other processes had committed is heard; at once where there are none. */
  readonly catchUp: () => Promise<void>
  /** How much is asked of it at this moment. */
  readonly load: () => { readonly read: QueueLoad; readonly write: QueueLoad }
  readonly damage: CorruptionMonitor
  /** Waits for what is under way and closes every connection. */
  readonly close: () => Promise<void>
}

/** Where the two databases need other words for the same thing. */
export type DialectTypes = {
  /** The type of text whose order is that of its bytes: both compare alike, and as `domain/shared/compare-text.ts`. */
  readonly text: string
  /** The type of a whole number up to 2^53. */
  readonly integer: string
}

/** The facts of each dialect. */
export const DIALECT_TYPES: { readonly [dialect in Dialect]: DialectTypes } = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text collate "C"', integer: 'bigint' },
}

/**
 * Names one commit among those that write to the change log. What a statement saw can be asked of it exactly: a count
 * that was read while others wrote is put right by the changes that it did not see, and by no other.
 */
export type CommitId = bigint

/** What one statement saw of the commits. */
export type CommitSnapshot = { readonly includes: (mark: CommitId) => boolean }

/**
 * The mark of the write under way, as a column that an insert into the change log returns. SQLite has one writer, so the
 * number of the entry counts the commits up; PostgreSQL gives every transaction a number.
 */
export const commitIdColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite' ? sql<string>`cast(rowid as text)` : sql<string>`cast(pg_current_xact_id() as text)`

/** What this very statement sees, as a column of it; `readView` reads the cell. */
export const commitSnapshotColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite'
    ? sql<string>`(select cast(coalesce(max(rowid), 0) as text) from changes)`
    : sql<string>`cast(pg_current_snapshot() as text)`

/** Reads a cell of `viewColumn`: on SQLite the last entry, on PostgreSQL `xmin:xmax:` and what ran in between. */
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

/** The view of something read before anybody wrote: every change is still to come. */
export const EMPTY_SNAPSHOT: CommitSnapshot = { includes: () => false }
