import { test as base } from '@playwright/test'
import { createDatabase, openPostgres } from './postgres.ts'
import { type ServerSettings, type StartedServer, startServer } from './started-server.ts'

/** Which database the server of a journey stands on; each project of playwright.config.ts names one. */
export type TestDatabaseOption = { readonly database: 'sqlite' | 'postgres' }

/** What the server of a journey is told besides; journeys that say something of their own get a server of their own. */
export type ServerSettingsOption = { readonly serverSettings: ServerSettings }

/** What every journey gets: the built product, started empty, and shared by the journeys of one project. */
export type ServerFixture = { readonly server: StartedServer }

type Use = (server: StartedServer) => Promise<void>

async function withServerOnPostgres(settings: ServerSettings, use: Use): Promise<void> {
  const postgres = await openPostgres()
  const database = await createDatabase(postgres.url)
  const server = await startServer({ ...settings, databaseUrl: database.url })
  await use(server)
  await server.stop()
  await database.drop()
  await postgres.stop()
}

async function withServerOnSqlite(settings: ServerSettings, use: Use): Promise<void> {
  const server = await startServer(settings)
  await use(server)
  await server.stop()
}

/** Playwright's `test` with the server running: `page.goto('/')` leads to it. */
export const test = base.extend<object, TestDatabaseOption & ServerSettingsOption & ServerFixture>({
  database: ['sqlite', { option: true, scope: 'worker' }],
  serverSettings: [{}, { option: true, scope: 'worker' }],
  server: [
    async ({ database, serverSettings }, use) =>
      database === 'postgres' ? withServerOnPostgres(serverSettings, use) : withServerOnSqlite(serverSettings, use),
    // A server says for itself when it is too slow to start.
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
})
