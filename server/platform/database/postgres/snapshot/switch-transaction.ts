import type { Client } from 'pg'
import { Problem } from '#domain/shared/problem.ts'
import { connectWithoutTimeouts } from './write-snapshot.ts'

/** Advisory lock that serializes server starts, migrations and restores. */
export const LOCK_MIGRATIONS = "select pg_advisory_lock(hashtextextended('dossier migrations', 0))"

export function databaseName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

export async function currentTransaction(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? ''
}

/** Whether a transaction was committed; a running one is awaited, as it holds the lock. */
export async function isCommitted(url: string, id: string): Promise<boolean> {
  const client = await connectWithoutTimeouts(url)
  try {
    await client.query(LOCK_MIGRATIONS)
    const { rows } = await client.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [id])
    const status = rows[0]?.status
    if (status === 'committed' || status === 'aborted') return status === 'committed'
  } finally {
    await client.end()
  }
  throw new Problem(
    'not-ready',
    `PostgreSQL no longer knows whether transaction ${id} of an interrupted restore was committed. Nothing was changed. Check the data, delete restore-journal.json and the folder restoring in the data folder, and run the restore again with --replace if the data wasn't restored.`,
  )
}
