import { type BrowserContext, expect, test as base } from '@playwright/test'
import { createDatabase, openPostgres } from '#tests/support/database/postgres.ts'
import { type ServerSettings, type StartedServer, startServer } from '#tests/support/server/started-server.ts'

/** Which database the server of a journey stands on; each project of playwright.config.ts names one. */
export type TestDatabaseOption = { readonly database: 'sqlite' | 'postgres' }

/** What the server of a journey is told besides; journeys that say something of their own get a server of their own. */
export type ServerSettingsOption = { readonly serverSettings: ServerSettings }

/** What every journey gets: the built product, started empty, and shared by the journeys of one project. */
export type ServerFixture = { readonly server: StartedServer }

/** What a page may do that makes the browser complain: a journey that provokes it says so. */
export type ProvokesOption = { readonly provokes: 'nothing' | 'refusals' }

/** What the browser refused by our content policy, and what no code of ours has caught. */
function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().stack ?? error.error().message))
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

/** Playwright's `test` with the server running: `page.goto('/')` leads to it. */
export const test = base.extend<
  ProvokesOption & { readonly noComplaints: undefined },
  TestDatabaseOption & ServerSettingsOption & ServerFixture
>({
  database: ['sqlite', { option: true, scope: 'worker' }],
  serverSettings: [{}, { option: true, scope: 'worker' }],
  server: [
    async ({ database, serverSettings }, use) =>
      database === 'postgres' ? withServerOnPostgres(serverSettings, use) : withServerOnSqlite(serverSettings, use),
    // A server says for itself when it is too slow to start.
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
