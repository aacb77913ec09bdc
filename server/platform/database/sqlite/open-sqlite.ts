import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { CompiledQuery } from 'kysely'
import type { CellValue, Database, Reader } from '#server/platform/database/database.ts'
import { createKysely, type Execute, type StatementResult } from '#server/platform/database/kysely-driver.ts'
import { assertNotInWrite } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { TIME_LIMITS, type TimeLimits } from '#server/platform/database/time-limits.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import { requireWhole, requireWritable, requireWritableTables } from '#server/platform/database/errors/corruption.ts'
import { createCorruptionGuard } from './corruption-guard.ts'
import { openReadPool } from './read-pool.ts'
import { rowsAsObjects } from './thread/row-objects.ts'
import { startThread } from './thread/start-thread.ts'
import {
  createStatementTimings,
  type StatementTimings,
} from '#server/platform/database/scheduling/statement-timings.ts'
import { openWriteQueue } from './write-queue.ts'
import { toBindValue } from './thread/bind-value.ts'
import { openConnection } from './thread/open-connection.ts'
import { columnsOf, statementCache } from './thread/statement-cache.ts'

/** Reads of single rows by their key, and of few rows, on the event loop. */
type KeyReader = {
  readonly execute: Execute
  /** The same for a statement that a thread has run before. */
  readonly executeKnown: Execute
  /** To be called when tables changed, before anybody can know of it. */
  readonly forgetStatements: () => void
  readonly close: () => void
}

/** What a key reader is made from. */
type KeyReaderDeps = {
  readonly file: string
  /** How long statements take; shared with the threads. */
  readonly memory: StatementTimings
  /** Where a statement runs that is not for the event loop: in a thread. */
  readonly elsewhere: Execute
}

/**
 * A statement that takes longer than this has no place on the event loop, in ms. A row by its key takes 0.02 ms; where
 * the disk is slow and the row is not in memory, threads do the waiting.
 */
const MAX_MAIN_THREAD_MS = 1

/**
 * A connection of the main thread. To wake a thread and be woken by it costs 0.1 ms of processor and more than that of
 * time: five times what such a read itself takes. Whatever goes wrong here is asked again in a thread, which has the
 * patience for a busy file and the words for every fault.
 */
function openKeyReader({ file, memory, elsewhere }: KeyReaderDeps): KeyReader {
  const db = openConnection({ role: 'reader', file, waitsForOthers: false })
  const statements = statementCache(db)

  function readHere(text: string, parameters: readonly unknown[]): StatementResult {
    const prepared = statements.find(text)
    // Raw mode is on for every statement that answers rows: each row is a list of cells.
    const rows = prepared.statement.all(...parameters.map(toBindValue)) as CellValue[][]
    return { rows: rowsAsObjects({ columns: columnsOf(prepared, rows[0]), rows }) }
  }

  function tryHere(text: string, parameters: readonly unknown[]): StatementResult | undefined {
    if (!db.open || memory.usualMs(text) > MAX_MAIN_THREAD_MS) return undefined
    const startedAt = performance.now()
    try {
      return readHere(text, parameters)
    } catch {
      return undefined
    } finally {
      memory.remember(text, performance.now() - startedAt)
    }
  }

  return {
    execute: async (text, parameters) => tryHere(text, parameters) ?? elsewhere(text, parameters),
    executeKnown: async (text, parameters) =>
      (memory.isKnown(text) ? tryHere(text, parameters) : undefined) ?? elsewhere(text, parameters),
    forgetStatements: statements.clear,
    close: () => {
      statements.clear()
      db.close()
    },
  }
}

/** How a SQLite database is opened. */
export type SqliteOptions = {
  readonly file: string
  /** Held locked while the database is open; whoever finds it locked is refused. Left out by the command line. */
  readonly lockFile?: string | undefined
  readonly readers?: number
  readonly limits?: TimeLimits
  /** Told of errors that have no caller. */
  readonly report?: (error: unknown) => void
}

/**
 * Two places for heavy statements and one that they never take; a fourth where there are processors for it. Each costs
 * about 5 MB once it is used.
 */
const READERS = Math.max(3, Math.min(4, availableParallelism()))

/** Opens (or makes) the database file; rejects with SQLite's reason when that is not possible. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file, lockFile, readers = READERS, limits = TIME_LIMITS } = options
  // Lists that are sorted through a file hold what records hold, so they stay beside them.
  process.env['SQLITE_TMPDIR'] ??= dirname(file)
  const report = options.report ?? ((error) => process.emitWarning(String(error)))
  const guard = createCorruptionGuard({ file, withReader: (work) => withReader(file, work), report })
  const startWriter = () => startThread({ role: 'writer', file, lockFile }, guard.found)
  // The first writer makes the file and finds out whether it can be written, before anything else begins.
  const firstWriter = await startWriter()
  await guard.open()

  const memory = createStatementTimings()
  const pool = openReadPool({
    startReader: () => startThread({ role: 'reader', file }, guard.found),
    size: readers,
    limitMs: limits.readMs,
    memory,
  })
  const keyReader = openKeyReader({ file, memory, elsewhere: pool.execute })
  const line = openWriteQueue({
    startWriter: () => (firstWriter.isAlive() ? Promise.resolve(firstWriter) : startWriter()),
    limitMs: limits.writeMs,
    refuse: (statement) => requireWritableTables(guard.state(), statement),
    afterSchemaChange: () => {
      pool.forgetStatements()
      keyReader.forgetStatements()
    },
    report,
  })

  return {
    dialect: 'sqlite',
    read: createKysely('sqlite', pool.execute),
    readByKey: createKysely('sqlite', keyReader.execute),
    readBriefly: createKysely('sqlite', keyReader.executeKnown),
    write: async (work, writeOptions) => {
      assertNotInWrite()
      await guard.examined()
      requireWritable(guard.state())
      return withoutCancellation(() => line.write(work, writeOptions))
    },
    maintain: async ({ work, signal }) => {
      assertNotInWrite()
      return work(async (statement) => {
        signal.throwIfAborted()
        await guard.examined()
        requireWhole(guard.state())
        await line.write(({ db }) => db.executeQuery(CompiledQuery.raw(statement)))
      })
    },
    hearOthers: async () => async () => undefined,
    hasOthers: () => Promise.resolve(false),
    catchUp: () => Promise.resolve(),
    load: () => ({ read: pool.load(), write: line.load() }),
    damage: guard,
    close: async () => {
      await guard.close()
      await line.close()
      await pool.close()
      keyReader.close()
      if (firstWriter.isAlive()) await firstWriter.close()
    },
  }
}

/** Runs work on a connection of its own, without a limit of time. */
async function withReader<Answer>(file: string, work: (read: Reader) => Promise<Answer>): Promise<Answer> {
  const thread = await startThread({ role: 'reader', file })
  const execute: Execute = async (statement, parameters) => ({
    rows: rowsAsObjects(await thread.ask({ type: 'run', statement, parameters, opensJob: false })),
  })
  try {
    return await work(createKysely('sqlite', execute))
  } finally {
    await thread.close()
  }
}
