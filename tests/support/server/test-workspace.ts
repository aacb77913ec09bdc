import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Clock } from '#domain/shared/time.ts'
import { compose } from '#server/compose.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { type Client, clientAt, signIn } from '#tests/attack/workload/client.ts'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { TEST_PASSWORD } from './test-app.ts'
import { testDialect } from '#tests/support/database/test-database.ts'

export const OWNER = { email: 'owner@example.org', password: TEST_PASSWORD }

/** Creates a data folder and a database that several servers can use one after another. */
export async function createTestWorkspace(): Promise<{
  readonly config: Config
  readonly remove: () => Promise<void>
}> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-place-'))
  const postgres = testDialect() === 'postgres' ? await createDatabase() : undefined
  const read = readConfig({ DOSSIER_DATA: dataFolder, DOSSIER_SAMPLE: 'no' })
  if (!read.ok) throw new Error(read.fault.join(' '))
  const config = { ...read.value, owner: OWNER, databaseUrl: postgres && secret(postgres.url) }
  const remove = async (): Promise<void> => {
    await postgres?.drop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { config, remove }
}

/** A server in the test process, and a client signed in as the owner. */
export type OpenedWorkspace = {
  readonly database: Database
  readonly owner: Client
  /** The owner's access token. */
  readonly token: string
  readonly guest: Client
  readonly close: () => Promise<void>
}

/** Starts a server after migrating the workspace's database. */
export async function openOn(config: Config, clock: Clock = () => new Date()): Promise<OpenedWorkspace> {
  const database = await openDatabase(config)
  await migrate(database)
  const dossier = await compose({ config, database, log: openLog('silent'), clock }).then(
    undefined,
    async (error: unknown) => {
      await database.close()
      throw error
    },
  )
  const guest = clientAt(await dossier.app.listen({ port: 0, host: '127.0.0.1' }))
  await dossier.start()
  const { token } = await signIn(guest, OWNER.email, OWNER.password)
  const close = async (): Promise<void> => {
    await dossier.stop()
    await database.close()
  }
  return { database, owner: guest.as(token), token, guest, close }
}

/** All rows of these tables, sorted, without the transaction that wrote them, which is another one after a restore. */
export async function contentsOf(
  database: Pick<Database, 'read'>,
  tables: readonly string[],
): Promise<{ readonly [table: string]: readonly string[] }> {
  const contents: Record<string, readonly string[]> = {}
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(database.read)
    contents[table] = rows
      .map((row) => JSON.stringify(row, (column, cell) => (column === 'transaction_id' ? undefined : cell)))
      .sort()
  }
  return contents
}
