import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { CompiledQuery } from 'kysely'
import type { CellValue, Database, Reader } from '#server/platform/database/database.ts'
import { createKysely, type Execute, type StatementResult } from '#server/platform/database/kysely-driver.ts'
import { assertNotInWrite } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { TIME_LIMITS, type TimeLimits } from '#server/platform/database/time-limits.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import { noteCommit } from '#server/platform/database/commit-outcome.ts'
import { requireWhole, requireWritable, requireWritableTables } from '#server/platform/database/database-errors.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createCorruptionGuard } from './corruption-guard.ts'
import { openReadPool } from './read-pool.ts'
import { rowsAsObjects, toBindValue } from '#server/platform/database/sqlite/thread/thread-messages.ts'
import { startThread } from './thread/start-thread.ts'
import {
  createStatementTimings,
  type StatementTimings,
} from '#server/platform/database/scheduling/statement-timings.ts'
import { openWriteQueue } from './write-queue.ts'
import { openConnection } from './thread/open-connection.ts'
import { columnsOf, statementCache } from './thread/statement-cache.ts'

type KeyReader = {
  readonly execute: Execute
  readonly executeKnown: Execute
  /** Undefined if the statement failed or usually takes too long. */
  readonly tryHere: (text: string, parameters: readonly unknown[]) => StatementResult | undefined
  /** Must be called after tables have been changed, before the change becomes visible. */
  readonly forgetStatements: () => void
  readonly close: () => void
}

type KeyReaderDeps = {
  readonly file: string
  readonly memory: StatementTimings
  readonly elsewhere: Execute
}

/** Maximum duration in ms of a statement on the event loop. Reading a row by key takes 0.02 ms. */
const MAX_MAIN_THREAD_MS = 1

/**
 * A connection on the main thread. A round trip to a worker thread costs 0.1 ms of CPU and more in latency, five times
 * as much as the read itself. After an error, the statement is retried in a thread.
 */
function openKeyReader({ file, memory, elsewhere }: KeyReaderDeps): KeyReader {
  const db = openConnection({ role: 'reader', file, waitsForOthers: false })
  const statements = statementCache(db)

  function readHere(text: string, parameters: readonly unknown[]): StatementResult {
    const prepared = statements.find(text)
    const rows = prepared.statement.all(...parameters.map(toBindValue)) as CellValue[][]
    return { rows: rowsAsObjects({ columns: columnsOf(prepared, rows[0]), rows }) }
  }

  function tryHere(text: string, parameters: readonly unknown[]): StatementResult | undefined {
    if (!db.open || memory.usualMs(text) > MAX_MAIN_THREAD_MS) return undefined
    let startedAt = performance.now()
    try {
      statements.readTables()
      startedAt = performance.now()
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
    tryHere,
    forgetStatements: statements.clear,
    close: () => {
      statements.clear()
      db.close()
    },
  }
}

export type SqliteOptions = {
  readonly file: string
  /** Locked while the database is open, so that a second server is rejected. Not used by CLI commands. */
  readonly lockFile?: string | undefined
  readonly readers?: number
  readonly limits?: TimeLimits
  readonly report?: (error: unknown) => void
}

/**
 * Two slots for heavy statements and one for light statements; a fourth if there are enough processors. Each slot uses
 * about 5 MB.
 */
const READERS = Math.max(3, Math.min(4, availableParallelism()))

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file, lockFile, readers = READERS, limits = TIME_LIMITS } = options
  // Temporary files used for sorting contain record data, so they are created in the data folder.
  process.env['SQLITE_TMPDIR'] ??= dirname(file)
  const report = options.report ?? ((error) => process.emitWarning(String(error)))
  const guard = createCorruptionGuard({ file, withReader: (work) => withReader(file, work), report })
  const startWriter = () => startThread({ role: 'writer', file, lockFile }, guard.found)
  // The first writer creates the file and checks that it is writable, before anything else is started.
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
  const checkpoints = createCheckpoints({ readBriefly: keyReader.execute, readInThread: pool.execute })
  const line = openWriteQueue({
    startWriter: () => (firstWriter.isAlive() ? Promise.resolve(firstWriter) : startWriter()),
    limitMs: limits.writeMs,
    committed: { read: keyReader.tryHere, remember: memory.remember },
    refuse: (statement) => requireWritableTables(guard.state(), statement),
    afterCommit: checkpoints.noteCommit,
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
      if (writeOptions?.isLong === true && checkpoints.areBehind()) await checkpoints.catchUp()
      const answer = await withoutCancellation(() => line.write(work, writeOptions))
      noteCommit()
      return answer
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
    listenToOthers: async () => async () => undefined,
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
