import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { QueueLoad } from '#server/platform/database/database.ts'
import { databaseUnavailable } from '#server/platform/database/errors/database-errors.ts'
import type { Execute, StatementResult } from '#server/platform/database/kysely-driver.ts'
import { createReadLimiter } from '#server/platform/database/scheduling/read-limiter.ts'
import { createStatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import { raceCancellation, cancellationSignal } from '#server/platform/database/cancellation.ts'
import { acquireConnection } from './connection-pool.ts'
import { toDatabaseError, isConnectionLost } from './postgres-errors.ts'

/** What reading needs. */
export type ReadQueueDeps = {
  readonly pool: Pool
  /** Connections of the pool. */
  readonly size: number
  readonly limitMs: number
  /** By it statements are ended that nobody waits for any more, however busy the others are. */
  readonly control: Pool
}

/** All reads: those that find no free connection wait in line. */
export type ReadQueue = { readonly execute: Execute; readonly load: () => QueueLoad; readonly close: () => void }

/** A quarter of the connections is for small reads alone. */
const RESERVED_FOR_LIGHT = 0.25

/** Longest wait for PostgreSQL to end a statement, in ms; the process of its connection is ended then. */
const CANCEL_TIMEOUT_MS = 2000

/** How long a signal to end is waited for before it is sent again, in ms: one that arrives before its statement is lost. */
const CANCEL_RETRY_MS = 100

/** Opens the line in front of a pool. */
export function openReadQueue({ pool, size, limitMs, control }: ReadQueueDeps): ReadQueue {
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
