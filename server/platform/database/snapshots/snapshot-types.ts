import type { Dialect } from '#server/platform/database/database.ts'
import { join } from 'node:path'
import { Problem } from '#domain/shared/problem.ts'
import { DATABASE_FILE, type DatabaseLocation } from '#server/platform/database/open-database.ts'
import { writeSqliteSnapshot } from '#server/platform/database/sqlite/sqlite-snapshot.ts'

/** What a snapshot holds: which database wrote it, after which migration, and how many rows each table has. */
export type SnapshotFacts = {
  readonly dialect: Dialect
  readonly migration: number
  readonly rows: Readonly<Record<string, number>>
}

/** What is wanted of a snapshot. */
export type SnapshotRequest = {
  /** An empty folder for its files. */
  readonly folder: string
  /** Texts found by a query of one column in the very same moment, each a line of a file. */
  readonly lists: readonly { readonly file: string; readonly query: string }[]
  readonly say: (line: string) => void
}

/** How a snapshot comes back. */
export type SnapshotRestore = {
  readonly folder: string
  /** Statements that are run on it before anybody can see it. What this throws prevents the switch. */
  readonly finally: (facts: SnapshotFacts) => readonly string[]
  /** A folder in which a file is prepared; it becomes the database by a rename. */
  readonly into: string
  readonly say: (line: string) => void
}

/** How a schema of PostgreSQL takes the place of another. */
export type SchemaSwitch = Omit<SnapshotRestore, 'folder' | 'into'> & {
  /** The folder of a snapshot, or the name of a schema that was put aside in this database. */
  readonly from: { readonly folder: string } | { readonly schema: string }
  /** Whether what is there is put aside under this name; else there must be nothing. */
  readonly putAside: string | undefined
  /** Called before the commit with the transaction that switches. */
  readonly beforeCommit: (transaction: SwitchTransaction) => Promise<void>
}

/** A transaction of PostgreSQL, and the database it is of. */
type SwitchTransaction = { readonly id: string; readonly database: string }

/** Writes all that a database holds as it is in one moment, while others go on writing. */
export async function writeSnapshot(place: DatabaseLocation, wish: SnapshotRequest): Promise<SnapshotFacts> {
  if (place.databaseUrl === undefined) return writeSqliteSnapshot(join(place.dataFolder, DATABASE_FILE), wish)
  const { writePostgresSnapshot } = await import('#server/platform/database/postgres/snapshot/write-snapshot.ts')
  return writePostgresSnapshot(place.databaseUrl.reveal(), wish)
}

/** Puts tables into the place of those that are there, in one transaction. */
export async function switchPostgresSchema(url: string, wish: SchemaSwitch): Promise<SnapshotFacts> {
  const { switchSchema } = await import('#server/platform/database/postgres/snapshot/switch-schema.ts')
  return switchSchema(url, wish)
}

/** Whether the transaction of an interrupted restore was committed. */
export async function isSwitched({ databaseUrl }: DatabaseLocation, transaction: SwitchTransaction): Promise<boolean> {
  const { databaseName, isCommitted } = await import(
    '#server/platform/database/postgres/snapshot/switch-transaction.ts'
  )
  const url = databaseUrl?.reveal()
  if (url !== undefined && databaseName(url) === transaction.database) return isCommitted(url, transaction.id)
  throw new Problem(
    'not-ready',
    `DATABASE_URL: a restore to the PostgreSQL database ${transaction.database} was interrupted, but DATABASE_URL has changed since. Nothing was changed. Start once with the previous DATABASE_URL to complete or roll back the restore.`,
  )
}
