import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Dialect } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openPostgres } from '#server/platform/database/postgres/open-postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite/open-sqlite.ts'
import type { TimeLimits } from '#server/platform/database/time-limits.ts'
import { createDatabase } from './postgres.ts'

/** A new database; `close` also deletes it. */
export type OpenTestDatabase = {
  readonly database: Database
  /** Undefined on SQLite. */
  readonly url?: string
  readonly close: () => Promise<void>
}

export type TestDatabaseOptions = {
  readonly dialect?: Dialect
  readonly limits?: TimeLimits
  /** False for a database without tables. */
  readonly isMigrated?: boolean
}

export const testDialect = (): Dialect => (process.env['DOSSIER_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite')

/** Opens a migrated database, which must be closed in `afterAll`. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<OpenTestDatabase> {
  const { dialect = testDialect(), isMigrated = true } = options
  const template = isMigrated && dialect === 'postgres' ? process.env['PG_TEMPLATE'] : undefined
  const opened = await (dialect === 'sqlite' ? openInFile(options.limits) : openInServer(options.limits, template))
  if (isMigrated && template === undefined) await migrate(opened.database)
  return opened
}

/** Stored in a file, because worker threads can't share an in-memory database. */
async function openInFile(limits: TimeLimits | undefined): Promise<OpenTestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-database-'))
  const database = await openSqlite({ file: join(folder, 'dossier.db'), ...(limits && { limits }) })
  const close = async (): Promise<void> => {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { database, close }
}

async function openInServer(limits: TimeLimits | undefined, template?: string): Promise<OpenTestDatabase> {
  const { url, drop } = await createDatabase(process.env['PG_URL'], template)
  const database = await openPostgres({ url, ...(limits && { limits }) })
  const close = async (): Promise<void> => {
    await database.close()
    await drop()
  }
  return { database, url, close }
}
