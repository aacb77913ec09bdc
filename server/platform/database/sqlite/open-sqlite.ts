import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { CompiledQuery } from 'kysely'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { type Execute, createKysely } from '#server/platform/database/kysely-driver.ts'
import { assertNotInWrite } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { TIME_LIMITS, type TimeLimits } from '#server/platform/database/time-limits.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import { requireWhole, requireWritable, requireWritableTables } from '#server/platform/database/errors/corruption.ts'
import { createCorruptionGuard } from './corruption-guard.ts'
import { openKeyReader } from './key-reader.ts'
import { openReadPool } from './read-pool.ts'
import { rowsAsObjects } from './thread/row-objects.ts'
import { startThread } from './thread/start-thread.ts'
import { createStatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { openWriteQueue } from './write-queue.ts'

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
