import { NO_CORRUPTION } from '#server/platform/database/errors/corruption.ts'
import { randomBytes } from 'node:crypto'
import type { Database } from '#server/platform/database/database.ts'
import { databaseClosed } from '#server/platform/database/errors/database-errors.ts'
import { createKysely } from '#server/platform/database/kysely-driver.ts'
import { assertNotInWrite } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { TIME_LIMITS, type TimeLimits } from '#server/platform/database/time-limits.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import { connectionPool } from './connection-pool.ts'
import { runMaintenance } from './maintenance.ts'
import { createClusterNotifications } from './notifications.ts'
import { openReadQueue } from './read-queue.ts'
import { writeTransaction } from './write-transaction.ts'

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
      const needs = { pool: writes, limitMs: limits.writeMs, ownName, report }
      return track(() => withoutCancellation(() => writeTransaction(needs, work, writeOptions)))
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
