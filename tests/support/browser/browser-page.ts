import { type Page, type BrowserContext, expect, test as base } from '@playwright/test'
import { createDatabase, openPostgres } from '#tests/support/database/postgres.ts'
import { type ServerSettings, type StartedServer, startServer } from '#tests/support/server/started-server.ts'

/** The server's database, configured by a project in playwright.config.ts. */
export type TestDatabaseOption = { readonly database: 'sqlite' | 'postgres' }

/** Settings for the server; tests with other settings use a separate server. */
export type ServerSettingsOption = { readonly serverSettings: ServerSettings }

/** The production build with an empty workspace; tests in the same worker share it. */
export type ServerFixture = { readonly server: StartedServer }

/** Whether the test deliberately causes browser console errors. */
export type ProvokesOption = { readonly provokes: 'nothing' | 'refusals' }

/** Content security policy violations and uncaught errors in the page. */
function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  context.on('weberror', (error) => {
    const { name, stack, message } = error.error()
    // Init scripts also run on the blank page, where Firefox has no storage.
    if (name !== 'SecurityError') complaints.push(stack ?? message)
  })
  return complaints
}

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

/** Playwright's `test` with a running server as its base URL. */
export const test = base.extend<
  ProvokesOption & { readonly noComplaints: undefined },
  TestDatabaseOption & ServerSettingsOption & ServerFixture
>({
  database: ['sqlite', { option: true, scope: 'worker' }],
  serverSettings: [{}, { option: true, scope: 'worker' }],
  server: [
    async ({ database, serverSettings }, use) =>
      database === 'postgres' ? withServerOnPostgres(serverSettings, use) : withServerOnSqlite(serverSettings, use),
    // `startServer` enforces its own time limit.
    { scope: 'worker', timeout: 240_000 },
  ],
  provokes: ['nothing', { option: true }],
  noComplaints: [
    async ({ context, provokes }, use) => {
      const complaints = complaintsOf(context)
      await use(undefined)
      if (provokes === 'nothing') expect(complaints, 'what the browser complained of').toEqual([])
    },
    { auto: true },
  ],
  baseURL: async ({ server }, use) => use(server.url),
})

/** Waits until code is prefetched, because it can't be loaded without a server. */
export const scriptLoaded = (page: Page, script: 'cell-editors' | 'status-bars' | 'toast'): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => performance.getEntriesByType('resource').some(({ name }) => name.includes(`/${wanted}`)),
    script,
  )
