import type { Dialect } from '#server/platform/database/database.ts'

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
export type SwitchTransaction = { readonly id: string; readonly database: string }
