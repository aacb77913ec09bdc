import type { IndexDeps } from './index-deps.ts'
import { staleTables } from './store.ts'

/**
 * PostgreSQL's index-only scans need current visibility data, and its plans need statistics. Autovacuum runs after
 * changes to a fifth of a table: after importing 100,000 records into a million, never. So it is done here.
 */
export async function analyzeStaleTables(
  { database }: Pick<IndexDeps, 'database'>,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  if (database.dialect !== 'postgres') return
  for (const table of await staleTables(database.read)) await run(`vacuum (analyze) "${table}"`)
}
