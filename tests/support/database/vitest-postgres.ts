import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openPostgres as openDatabase } from '#server/platform/database/postgres/open-postgres.ts'
import { createDatabase, openPostgres } from './postgres.ts'

/**
 * Starts one PostgreSQL server per run, with a migrated template database, when the first project needs it. PG_URL and
 * PG_TEMPLATE pass both to test processes and later projects.
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
