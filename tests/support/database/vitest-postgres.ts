import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openPostgres as openDatabase } from '#server/platform/database/postgres/open-postgres.ts'
import { createDatabase, openPostgres } from './postgres.ts'

/**
 * Starts one PostgreSQL server for the run when the first project needs it, with a migrated database as a template.
 * PG_URL and PG_TEMPLATE pass their names to test processes and later projects.
 */
export async function setup(): Promise<() => Promise<void>> {
  const server = await openPostgres()
  process.env['PG_URL'] = server.url
  if (process.env['PG_TEMPLATE'] !== undefined) return server.stop
  const { url, drop } = await createDatabase()
  const database = await openDatabase({ url })
  await migrate(database)
  await database.close()
  process.env['PG_TEMPLATE'] = new URL(url).pathname.slice(1)
  return async () => {
    delete process.env['PG_TEMPLATE']
    await drop()
    await server.stop()
  }
}
