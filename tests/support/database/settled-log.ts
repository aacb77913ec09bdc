import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

/** Waits until all entries of the change log are listed. On PostgreSQL, running transactions of any database delay them. */
export async function logSettled({ dialect, read }: Database): Promise<void> {
  if (dialect === 'sqlite') return
  const delayed = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from changes where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())`.execute(read)
    return rows
  }
  await expect.poll(delayed, EVENTUALLY).toEqual([])
}
