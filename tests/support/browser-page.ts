import { test as base } from '@playwright/test'
import { createDatabase, openPostgres } from './postgres.ts'
import { type StartedServer, startServer } from './started-server.ts'

/** Which database the server of a journey stands on; each project of playwright.config.ts names one. */
export type TestDatabaseOption = { readonly database: 'sqlite' | 'postgres' }

/** What every journey gets: the built product, started empty, and shared by the journeys of one project. */
export type ServerFixture = { readonly server: StartedServer }

async function withServerOnPostgres(use: (server: StartedServer) => Promise<void>): Promise<void> {
  const postgres = await openPostgres()
  const database = await createDatabase(postgres.url)
  const server = await startServer({ databaseUrl: database.url })
  await use(server)
  await server.stop()
  await database.drop()
  await postgres.stop()
}

async function withServerOnSqlite(use: (server: StartedServer) => Promise<void>): Promise<void> {
  const server = await startServer()
  await use(server)
  await server.stop()
}

/** Playwright's `test` with the server running: `page.goto('/')` leads to it. */
export const test = base.extend<object, TestDatabaseOption & ServerFixture>({
  database: ['sqlite', { option: true, scope: 'worker' }],
  server: [
    async ({ database }, use) => (database === 'postgres' ? withServerOnPostgres(use) : withServerOnSqlite(use)),
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
})
