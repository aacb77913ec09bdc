import { databaseCorrupted, databaseCheckRunning } from './database-errors.ts'

export type CorruptionState =
  | { readonly type: 'whole' }
  | { readonly type: 'examining' }
  /** Damaged tables, or the whole file where none could be named; the database is read-only from now on. */
  | { readonly type: 'damaged'; readonly tables: readonly string[] }

/** Corruption of the database file, as the rest of the server sees it. PostgreSQL guards its own files. */
export type CorruptionMonitor = {
  readonly state: () => CorruptionState
  readonly onSearchIndexDamage: (listener: (parts: readonly string[]) => void) => () => void
}

export const NO_CORRUPTION: CorruptionMonitor = {
  state: () => ({ type: 'whole' }),
  onSearchIndexDamage: () => () => undefined,
}

/** Tables of collections, of their list fields and of their search indexes; all others are system tables. */
const RECORD_TABLE = /\b[clst]_[0-9a-z]{26}\b/

/** Whether only records are damaged: users can still sign in, read and export the rest. */
const isOfRecordsOnly = (tables: readonly string[]): boolean =>
  tables.length > 0 && tables.every((table) => RECORD_TABLE.test(table))

/** Rejects writes to a file that is damaged or being examined, which could spread the damage. */
export function requireWritable(state: CorruptionState): void {
  if (state.type === 'examining') throw databaseCheckRunning()
  if (state.type === 'damaged' && !isOfRecordsOnly(state.tables)) throw databaseCorrupted()
}

export function requireWritableTables(state: CorruptionState, statement: string): void {
  if (state.type === 'damaged' && RECORD_TABLE.test(statement)) throw databaseCorrupted()
}

export function requireWhole(state: CorruptionState): void {
  if (state.type === 'examining') throw databaseCheckRunning()
  if (state.type === 'damaged') throw databaseCorrupted()
}
