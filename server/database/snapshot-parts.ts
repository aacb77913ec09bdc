import type { Dialect } from './database.ts'

/** What a snapshot holds: which database wrote it, after which migration, and how many rows each table has. */
export type SnapshotFacts = {
  readonly dialect: Dialect
  readonly migration: number
  readonly rows: Readonly<Record<string, number>>
}

/** What is wanted of a snapshot. */
export type SnapshotWish = {
  /** An empty folder for its files. */
  readonly folder: string
  /** Texts found by a query of one column in the very same moment, each a line of a file. */
  readonly lists: readonly { readonly file: string; readonly query: string }[]
  readonly say: (line: string) => void
}

/** How a snapshot comes back. */
export type SnapshotReturn = {
  readonly folder: string
  /** Statements that are run on it before anybody can see it. */
  readonly finally: readonly string[]
  /** Whether what is there is put aside under this name; else there must be nothing. */
  readonly putAside: string | undefined
  readonly say: (line: string) => void
}
