import type { IndexDeps } from './index-deps.ts'
import { staleTables } from './store.ts'

/**
 * PostgreSQL answers from an index alone only where it knows that everybody may see the rows, and judges by what it knows
 * of their values. It looks over a table by itself when a fifth of it is new: after an import of 100,000 records into a
 * million, never. So that is done here.
 */
export async function analyzeStaleTables(
  { database }: Pick<IndexDeps, 'database'>,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  if (database.dialect !== 'postgres') return
  for (const table of await staleTables(database.read)) await run(`vacuum (analyze) "${table}"`)
}
