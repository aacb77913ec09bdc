import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { MaintenanceTask } from '#server/platform/database/database.ts'
import { acquireConnection, statementWithin } from './connection-pool.ts'
import { postgresCodeOf } from './postgres-errors.ts'

/** Timeout of a maintenance statement in ms; building an index on a very large table takes minutes. */
const STATEMENT_MS = 60 * 60 * 1000

const SESSION_NAME = 'dossier maintenance'

const CANCELED = '57014'

/**
 * Runs maintenance on a separate connection outside any transaction, unless another process is already running it. The
 * lock belongs to the connection, so it doesn't outlive a crash. Undefined also if a definition change interrupted it.
 */
export async function runMaintenance<Answer>(
  pool: Pool,
  { name, work, signal }: MaintenanceTask<Answer>,
): Promise<Answer | undefined> {
  const client = await acquireConnection(pool)
  try {
    const pid = await takeLocks(client, name, signal)
    if (pid === undefined) return undefined
    const cancel = (): void => void pool.query('select pg_cancel_backend($1)', [pid]).then(undefined, () => undefined)
    signal.addEventListener('abort', cancel)
    try {
      return await work(async (statement) => {
        signal.throwIfAborted()
        await client.query(statementWithin(STATEMENT_MS, statement))
      })
    } catch (error) {
      if (postgresCodeOf(error) === CANCELED && !signal.aborted) return undefined
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  } finally {
    // Explicit, because a closed connection releases its lock with a delay.
    await client.query('select pg_advisory_unlock_all()').then(undefined, () => undefined)
    // Closes the connection, because its session settings differ from the pool's.
    client.release(true)
  }
}

/**
 * Takes the lock of a task and then the one for all tasks, because two index builds on a table would wait for each other. It
 * is tried again and again: a build would also wait for a statement that waits for it.
 */
async function takeLocks(client: PoolClient, name: string, signal: AbortSignal): Promise<number | undefined> {
  if (!(await tryLock(client, `dossier upkeep ${name}`))) return undefined
  while (!(await tryLock(client, 'dossier upkeep'))) await pause(RETRY_MS, undefined, { signal })
  await client.query(`set statement_timeout = ${STATEMENT_MS}; set application_name = '${SESSION_NAME}'`)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

const RETRY_MS = 200

async function tryLock(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [name],
  )
  return rows[0]?.taken === true
}

/**
 * Cancels the maintenance that holds locks on this workspace's tables, in any process. An index build can take minutes, and
 * a definition change shouldn't wait for it. Returns whether there was any; it runs again later.
 */
export async function interruptMaintenance(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select pg_cancel_backend(activity.pid)
    from pg_stat_activity as activity
    where application_name = $1 and usename = current_user and exists (
      select from pg_locks as lock join pg_class as owner on owner.oid = lock.relation
      where lock.pid = activity.pid and lock.granted and lock.mode = 'ShareUpdateExclusiveLock'
        and lock.database = (select oid from pg_database where datname = current_database())
        and owner.relnamespace = current_schema()::regnamespace
    )`,
    [SESSION_NAME],
  )
  return rows.length > 0
}
