import { NO_CORRUPTION } from '#server/platform/database/errors/corruption.ts'
import { randomBytes } from 'node:crypto'
import type { Database, MaintenanceTask, QueueLoad } from '#server/platform/database/database.ts'
import { databaseClosed, databaseUnavailable } from '#server/platform/database/errors/database-errors.ts'
import { createKysely, type Execute, type StatementResult } from '#server/platform/database/kysely-driver.ts'
import { assertNotInWrite } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { TIME_LIMITS, type TimeLimits, withTimeLimit } from '#server/platform/database/time-limits.ts'
import { cancellationSignal, raceCancellation, withoutCancellation } from '#server/platform/database/cancellation.ts'
import { acquireConnection, connectionPool, statementWithin } from './connection-pool.ts'
import { createClusterNotifications } from './notifications.ts'
import { writeTransaction } from './write-transaction.ts'
import type { Pool, PoolClient } from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { createReadLimiter } from '#server/platform/database/scheduling/read-limiter.ts'
import { createStatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { isConnectionLost, toDatabaseError } from './postgres-errors.ts'

/** What reading needs. */
type ReadQueueDeps = {
  readonly pool: Pool
  /** Connections of the pool. */
  readonly size: number
  readonly limitMs: number
  /** By it statements are ended that nobody waits for any more, however busy the others are. */
  readonly control: Pool
}

/** All reads: those that find no free connection wait in line. */
type ReadQueue = { readonly execute: Execute; readonly load: () => QueueLoad; readonly close: () => void }

/** A quarter of the connections is for small reads alone. */
const RESERVED_FOR_LIGHT = 0.25

/** Longest wait for PostgreSQL to end a statement, in ms; the process of its connection is ended then. */
const CANCEL_TIMEOUT_MS = 2000

/** How long a signal to end is waited for before it is sent again, in ms: one that arrives before its statement is lost. */
const CANCEL_RETRY_MS = 100

/** Opens the line in front of a pool. */
function openReadQueue({ pool, size, limitMs, control }: ReadQueueDeps): ReadQueue {
  const memory = createStatementTimings()
  const keptForLight = Math.floor(size * RESERVED_FOR_LIGHT)
  const turns = createReadLimiter({ places: size, keptForLight, longestWaitMs: limitMs, memory })

  async function run(statement: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const client = await acquireConnection(pool)
    const startedAt = performance.now()
    const running = client.query(statement, [...parameters])
    try {
      const { rows, rowCount, command } = await raceCancellation(cancellationSignal(), running)
      client.release()
      return { rows, affected: command === 'SELECT' ? undefined : (rowCount ?? 0) }
    } catch (error) {
      client.release(isConnectionLost(error) || !(await cancelStatement(control, client, running)))
      throw error
    } finally {
      memory.remember(statement, performance.now() - startedAt)
    }
  }

  return {
    load: turns.load,
    close: turns.close,
    execute: async (statement, parameters) => {
      const giveBack = await turns.take(statement)
      const running = run(statement, parameters).finally(giveBack)
      return raceCancellation(cancellationSignal(), running).catch((error: unknown) => {
        throw toDatabaseError(error, limitMs)
      })
    },
  }
}

/** The number of a connection's process in PostgreSQL; the types of the client leave it out. */
const processOf = (client: PoolClient): number | undefined =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : undefined

/** Ends the statement of a connection, if it is still at one, and answers whether the connection can be used again. */
async function cancelStatement(control: Pool, client: PoolClient, running: Promise<unknown>): Promise<boolean> {
  const state = { isOver: false, isGivenUp: false }
  const over = running.then(
    () => (state.isOver = true),
    () => (state.isOver = true),
  )
  // One turn of the promises, for a statement that failed by itself.
  await Promise.race([over, Promise.resolve()])
  if (state.isOver) return true
  const end = async (): Promise<void> => {
    while (!state.isOver && !state.isGivenUp) {
      await control.query('select pg_cancel_backend($1)', [processOf(client)])
      await Promise.race([over, pause(CANCEL_RETRY_MS)])
    }
    // The signal may arrive after the statement ended by itself: it must not hit the next one.
    await client.query('select 1').catch(() => undefined)
  }
  return withTimeLimit(end(), { limitMs: CANCEL_TIMEOUT_MS, error: databaseUnavailable }).then(
    () => true,
    () => {
      state.isGivenUp = true
      // PostgreSQL works on for a client that is gone until it has something to say to it.
      void control.query('select pg_terminate_backend($1)', [processOf(client)]).catch(() => undefined)
      return false
    },
  )
}

/** Longest time of one statement of upkeep, in ms: an index over very many rows takes minutes. */
const STATEMENT_MS = 60 * 60 * 1000

/**
 * Runs upkeep on a connection of its own, outside of any transaction, unless another process does the same right now.
 * The lock goes with the connection, so a process that dies leaves none behind.
 */
async function runMaintenance<Answer>(
  pool: Pool,
  { name, work, signal }: MaintenanceTask<Answer>,
): Promise<Answer | undefined> {
  const client = await acquireConnection(pool)
  try {
    const pid = await takeLock(client, name)
    if (pid === undefined) return undefined
    const cancel = (): void => void pool.query('select pg_cancel_backend($1)', [pid]).then(undefined, () => undefined)
    signal.addEventListener('abort', cancel)
    try {
      return await work(async (statement) => {
        signal.throwIfAborted()
        await client.query(statementWithin(STATEMENT_MS, statement))
      })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  } finally {
    // A connection that ends takes its lock along, but not at once.
    await client.query('select pg_advisory_unlock_all()').then(undefined, () => undefined)
    // Its settings are not those of the pool.
    client.release(true)
  }
}

/** The number of the session that holds the lock now; undefined where another holds it. */
async function takeLock(client: PoolClient, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ taken: boolean; pid: number }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken, pg_backend_pid() as pid',
    [`dossier upkeep ${name}`],
  )
  const [session] = rows
  if (session?.taken !== true) return undefined
  await client.query(`set statement_timeout = ${STATEMENT_MS}`)
  return session.pid
}

/** How a PostgreSQL database is opened. */
export type PostgresOptions = {
  readonly url: string
  readonly limits?: TimeLimits
  /** Told of errors that have no caller. */
  readonly report?: (error: unknown) => void
}

/**
 * Connections of one server process. Reads and writes have pools of their own: a write that reads through `read` would
 * otherwise wait for a connection that other writes hold, and they for it.
 */
const READ_CONNECTIONS = 8
const WRITE_CONNECTIONS = 8

/** Longest time of a statement that ends another, in ms. */
const CONTROL_MS = 2000

/** Opens the database; rejects with the reason when PostgreSQL cannot be reached or refuses us. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, limits = TIME_LIMITS } = options
  const report = options.report ?? ((error) => process.emitWarning(String(error)))
  const reads = connectionPool({ url, size: READ_CONNECTIONS, isReadOnly: true, statementMs: limits.readMs })
  const writes = connectionPool({ url, size: WRITE_CONNECTIONS, isReadOnly: false, statementMs: limits.writeMs })
  const control = connectionPool({ url, size: 1, isReadOnly: true, statementMs: CONTROL_MS })
  const line = openReadQueue({ pool: reads, size: READ_CONNECTIONS, limitMs: limits.readMs, control })
  const ownName = randomBytes(6).toString('hex')
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false

  /** Remembers what runs, for `close` to wait for: a pool that is ended while it connects never ends. */
  async function track<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    if (isClosed) throw databaseClosed()
    const running = run()
    underWay.add(running)
    try {
      return await running
    } finally {
      underWay.delete(running)
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    await Promise.allSettled(underWay)
    await Promise.all([reads.end(), writes.end(), control.end()])
  }

  try {
    await reads.query('select 1')
  } catch (error) {
    await close()
    throw error
  }

  const read = createKysely('postgres', (statement, parameters) => track(() => line.execute(statement, parameters)))
  return {
    dialect: 'postgres',
    read,
    readByKey: read,
    readBriefly: read,
    write: async (work, writeOptions) => {
      assertNotInWrite()
      const deps = { pool: writes, limitMs: limits.writeMs, ownName, report }
      return track(() => withoutCancellation(() => writeTransaction(deps, work, writeOptions)))
    },
    maintain: async (upkeep) => {
      assertNotInWrite()
      return track(() => runMaintenance(writes, upkeep))
    },
    ...createClusterNotifications({ url, ownName, pool: reads }),
    damage: NO_CORRUPTION,
    load: () => ({
      read: line.load(),
      write: {
        places: WRITE_CONNECTIONS,
        taken: writes.totalCount - writes.idleCount,
        waiting: writes.waitingCount,
      },
    }),
    close,
  }
}
