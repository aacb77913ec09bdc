import { databaseClosed, databaseUnavailable, NO_CORRUPTION } from '#server/platform/database/database-errors.ts'
import { randomBytes } from 'node:crypto'
import type { Database, QueueLoad } from '#server/platform/database/database.ts'
import { createKysely, type Execute, type StatementResult } from '#server/platform/database/kysely-driver.ts'
import { assertNotInWrite } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { TIME_LIMITS, type TimeLimits, withTimeLimit } from '#server/platform/database/time-limits.ts'
import { cancellationSignal, raceCancellation, withoutCancellation } from '#server/platform/database/cancellation.ts'
import { noteCommit } from '#server/platform/database/commit-outcome.ts'
import { acquireConnection, connectionPool } from './connection-pool.ts'
import { createClusterNotifications } from './notifications.ts'
import { runMaintenance } from './maintenance.ts'
import { writeTransaction } from './write-transaction.ts'
import type { Pool, PoolClient } from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { createReadLimiter } from '#server/platform/database/scheduling/read-limiter.ts'
import { createStatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { isConnectionLost, isPlanOutdated, toDatabaseError } from './postgres-errors.ts'
import { createStatementNames, type Sent } from './statement-names.ts'

type ReadQueueDeps = {
  readonly pool: Pool
  readonly size: number
  readonly limitMs: number
  /** A separate connection for canceling statements even if all others are busy. */
  readonly control: Pool
}

type ReadQueue = {
  readonly execute: Execute
  readonly executeByKey: Execute
  readonly load: () => QueueLoad
  readonly close: () => void
}

/** Reserves a quarter of the connections for small reads. */
const RESERVED_FOR_LIGHT = 0.25

/** Maximum wait in ms for a canceled statement to end; its backend is then terminated. */
const CANCEL_TIMEOUT_MS = 2000

/** Interval in ms for resending a cancel request, because a request that arrives before its statement has no effect. */
const CANCEL_RETRY_MS = 100

function openReadQueue({ pool, size, limitMs, control }: ReadQueueDeps): ReadQueue {
  const memory = createStatementTimings()
  const keptForLight = Math.floor(size * RESERVED_FOR_LIGHT)
  const turns = createReadLimiter({ places: size, keptForLight, longestWaitMs: limitMs, memory })

  async function run(sent: Sent): Promise<StatementResult> {
    const client = await acquireConnection(pool)
    const startedAt = performance.now()
    const running = client.query(sent)
    try {
      const { rows, rowCount, command } = await raceCancellation(cancellationSignal(), running)
      client.release()
      return { rows, affected: command === 'SELECT' ? undefined : (rowCount ?? 0) }
    } catch (error) {
      const isUnusable = isConnectionLost(error) || isPlanOutdated(error)
      client.release(isUnusable || !(await cancelStatement(control, client, running)))
      throw error
    } finally {
      memory.remember(sent.text, performance.now() - startedAt)
    }
  }

  async function execute(sent: Sent): Promise<StatementResult> {
    const giveBack = await turns.take(sent.text)
    const running = run(sent).finally(giveBack)
    return raceCancellation(cancellationSignal(), running).catch((error: unknown) => {
      if (isPlanOutdated(error) && sent.name !== undefined) return execute({ text: sent.text, values: sent.values })
      throw toDatabaseError(error, limitMs)
    })
  }

  const nameOf = createStatementNames()
  return {
    load: turns.load,
    close: turns.close,
    execute: (text, parameters) => execute({ text, values: [...parameters] }),
    executeByKey: (text, parameters) => execute(nameOf(text, parameters)),
  }
}

/** The backend's process ID, missing from the client's types. */
const processOf = (client: PoolClient): number | undefined =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : undefined

/** Cancels a connection's running statement, if any, and returns whether the connection is still usable. */
async function cancelStatement(control: Pool, client: PoolClient, running: Promise<unknown>): Promise<boolean> {
  const state = { isOver: false, isGivenUp: false }
  const over = running.then(
    () => (state.isOver = true),
    () => (state.isOver = true),
  )
  // Waits one microtask, in case the statement has already ended.
  await Promise.race([over, Promise.resolve()])
  if (state.isOver) return true
  const end = async (): Promise<void> => {
    while (!state.isOver && !state.isGivenUp) {
      await control.query('select pg_cancel_backend($1)', [processOf(client)])
      await Promise.race([over, pause(CANCEL_RETRY_MS)])
    }
    // Absorbs a late cancel request, so that it doesn't affect the next statement.
    await client.query('select 1').catch(() => undefined)
  }
  return withTimeLimit(end(), { limitMs: CANCEL_TIMEOUT_MS, error: databaseUnavailable }).then(
    () => true,
    () => {
      state.isGivenUp = true
      // PostgreSQL continues a disconnected client's statement until it has data to send, so its backend is terminated.
      void control.query('select pg_terminate_backend($1)', [processOf(client)]).catch(() => undefined)
      return false
    },
  )
}

export type PostgresOptions = {
  readonly url: string
  readonly limits?: TimeLimits
  readonly report?: (error: unknown) => void
}

/**
 * Connections per server process. The pools are separate, because writes that use `read` could deadlock in a shared
 * pool.
 */
const READ_CONNECTIONS = 8
const WRITE_CONNECTIONS = 8

const CONTROL_MS = 2000

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, limits = TIME_LIMITS } = options
  const report = options.report ?? ((error) => process.emitWarning(String(error)))
  const reads = connectionPool({ url, size: READ_CONNECTIONS, isReadOnly: true, statementMs: limits.readMs })
  const writes = connectionPool({
    url,
    size: WRITE_CONNECTIONS,
    isReadOnly: false,
    statementMs: limits.writeMs,
    pipeline: true,
  })
  const control = connectionPool({ url, size: 1, isReadOnly: true, statementMs: CONTROL_MS })
  const line = openReadQueue({ pool: reads, size: READ_CONNECTIONS, limitMs: limits.readMs, control })
  const ownName = randomBytes(6).toString('hex')
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false

  /** Tracks running work for `close`, because ending a pool while it is connecting never resolves. */
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

  const read = createKysely('postgres', (...statement) => track(() => line.execute(...statement)))
  const readByKey = createKysely('postgres', (...statement) => track(() => line.executeByKey(...statement)))
  const nameOf = createStatementNames()
  return {
    dialect: 'postgres',
    read,
    readByKey,
    readBriefly: read,
    write: async (work, writeOptions) => {
      assertNotInWrite()
      const deps = { pool: writes, limitMs: limits.writeMs, ownName, report, nameOf }
      const answer = await track(() => withoutCancellation(() => writeTransaction(deps, work, writeOptions)))
      noteCommit()
      return answer
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
