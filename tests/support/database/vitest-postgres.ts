import { openPostgres } from './postgres.ts'

/**
 * Starts one PostgreSQL for the run with the first project that needs it. PG_URL passes its address to test processes
 * and later projects.
 */
export async function setup(): Promise<() => Promise<void>> {
  const server = await openPostgres()
  process.env['PG_URL'] = server.url
  return server.stop
}
