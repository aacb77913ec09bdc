import type { Pool, PoolClient } from 'pg'
import type { MaintenanceTask } from '#server/platform/database/database.ts'
import { statementWithin, acquireConnection } from './connection-pool.ts'

/** Longest time of one statement of upkeep, in ms: an index over very many rows takes minutes. */
const STATEMENT_MS = 60 * 60 * 1000

/**
 * Runs upkeep on a connection of its own, outside of any transaction, unless another process does the same right now.
 * The lock goes with the connection, so a process that dies leaves none behind.
 */
export async function runMaintenance<Answer>(
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
