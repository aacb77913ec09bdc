import type { Database } from '#server/platform/database/database.ts'
import { hasForeignOrder, resetOrder } from './commit-order-store.ts'

/**
 * Gives the entries of a log that was moved to another PostgreSQL server, for example with `pg_dump`, the order of their
 * IDs, because their transactions have higher IDs than those of this server. The log gets a new ID.
 */
export async function renewMovedLog(database: Database): Promise<void> {
  // Resets foreign entries last, so that the next start continues after an interruption.
  while (await hasForeignOrder(database)) await database.write(resetOrder, { alone: 'moved log' })
}
