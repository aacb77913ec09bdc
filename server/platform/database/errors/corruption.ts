import { databaseCorrupted, databaseCheckRunning } from './database-errors.ts'

/** What is known of damage to the database file. */
export type CorruptionState =
  | { readonly type: 'whole' }
  /** SQLite reported damage; which tables are hurt is being found out. */
  | { readonly type: 'examining' }
  /** These tables are hurt, or the file as a whole where none could be named: it is only read from now on. */
  | { readonly type: 'damaged'; readonly tables: readonly string[] }

/** Damage of the database file as the rest of the server sees it. PostgreSQL guards its own files. */
export type CorruptionMonitor = {
  readonly state: () => CorruptionState
  /** Hears the ids of search indexes that are hurt and must be replaced; answers how to stop hearing. */
  readonly onSearchIndexDamage: (listener: (parts: readonly string[]) => void) => () => void
}

/** The watch of a database that guards its own files. */
export const NO_CORRUPTION: CorruptionMonitor = {
  state: () => ({ type: 'whole' }),
  onSearchIndexDamage: () => () => undefined,
}

/** Tables of collections, of their list fields and of their search indexes; all others are the workspace's own. */
const RECORD_TABLE = /\b[clst]_[0-9a-z]{26}\b/

/** Whether only records are hurt: users can still sign in, read and export the rest. */
const isOfRecordsOnly = (tables: readonly string[]): boolean =>
  tables.length > 0 && tables.every((table) => RECORD_TABLE.test(table))

/** Refuses to write to a file that is damaged or being examined, which could spread the damage. */
export function requireWritable(state: CorruptionState): void {
  if (state.type === 'examining') throw databaseCheckRunning()
  if (state.type === 'damaged' && !isOfRecordsOnly(state.tables)) throw databaseCorrupted()
}

/** Refuses a statement that writes records while any records are damaged. */
export function requireWritableTables(state: CorruptionState, statement: string): void {
  if (state.type === 'damaged' && RECORD_TABLE.test(statement)) throw databaseCorrupted()
}

/** Refuses while anything is damaged. */
export function requireWhole(state: CorruptionState): void {
  if (state.type === 'examining') throw databaseCheckRunning()
  if (state.type === 'damaged') throw databaseCorrupted()
}
