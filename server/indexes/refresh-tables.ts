import { sql } from 'kysely'
import type { Reader } from '#server/database/database.ts'
import type { IndexNeeds } from './index-needs.ts'

/** So many new or changed rows of a table, and this share of them, are worth looking over it. */
const LEAST_ROWS = 10_000
const LEAST_SHARE = 0.02

/**
 * PostgreSQL answers from an index alone only where it knows that everybody may see the rows, and judges by what it knows
 * of their values. It looks over a table by itself when a fifth of it is new: after an import of 100,000 records into a
 * million, never. So that is done here.
 */
export async function refreshTables(
  { database }: Pick<IndexNeeds, 'database'>,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  if (database.dialect !== 'postgres') return
  for (const table of await staleTables(database.read)) await run(`vacuum (analyze) "${table}"`)
}

/** Tables of collections and of their lists. */
async function staleTables(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and relname ~ '^[cl]_'
      and n_ins_since_vacuum + n_dead_tup > greatest(${LEAST_ROWS}::float, ${LEAST_SHARE}::float * n_live_tup)`.execute(
    reader,
  )
  return rows.map(({ name }) => name)
}
