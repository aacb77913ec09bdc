import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

/**
 * Waits until all entries of the change log are listed. On PostgreSQL, running transactions of any database delay them.
 * `npm run conformance` calls it outside Vitest.
 */
export async function logSettled({ dialect, read }: Database): Promise<void> {
  if (dialect === 'sqlite') return
  const until = performance.now() + EVENTUALLY.timeout
  while (performance.now() < until) {
    const { rows } = await sql<{ id: string }>`
      select id from changes where transaction_id >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`.execute(read)
    if (rows.length === 0) return
    await pause(EVENTUALLY.interval)
  }
  throw new Error('A running transaction still delays entries of the change log.')
}
