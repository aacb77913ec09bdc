import { openPostgres } from './postgres.ts'

/**
 * Starts one PostgreSQL for the whole run, the first time a project that needs it has a test to run. Its address stands
 * in PG_URL, which the processes of the tests inherit; later projects find it there and start nothing.
 */
export async function setup(): Promise<() => Promise<void>> {
  const server = await openPostgres()
  process.env['PG_URL'] = server.url
  return server.stop
}
