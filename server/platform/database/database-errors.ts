import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Part of the errors below; only true before a commit. */
export const NOTHING_CHANGED = 'Nothing was changed.'

const seconds = (ms: number): string => (ms < 2000 ? `${ms} ms` : `${Math.round(ms / 1000)} seconds`)

export const readTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Query timeout: stopped after ${seconds(limitMs)}. Request less data, for example with a narrower filter.`,
  )

/** The transaction took too long and was rolled back. */
export const writeTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Write timeout: rolled back after ${seconds(limitMs)}. Nothing was changed. Try again, or change less at once.`,
  )

export const databaseUnavailable = (): Problem =>
  new Problem('not-ready', 'Can’t reach the database. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** The connection was lost during the commit, so the outcome is unknown. */
export const commitOutcomeUnknown = (): Problem =>
  new Problem(
    'not-ready',
    'The database connection was lost during the commit. Check whether the change was saved before you try again.',
    { retryAfterSeconds: 2 },
  )

export const databaseBusy = (): Problem =>
  new Problem('not-ready', 'Database busy. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

const DISK_RETRY_SECONDS = 60

export const databaseDiskFull = (): Problem =>
  new Problem(
    'not-ready',
    'The database disk is full. Nothing was changed. Free up space on the server, then try again.',
    { retryAfterSeconds: DISK_RETRY_SECONDS },
  )

export const databaseReadOnly = (): Problem =>
  new Problem('not-ready', 'The database disk is read-only. Nothing was changed. Contact your administrator.', {
    retryAfterSeconds: DISK_RETRY_SECONDS,
  })

export const databaseClosed = (): Problem =>
  new Problem('not-ready', 'The server is shutting down. Nothing was changed. Try again after it restarts.', {
    retryAfterSeconds: 5,
  })

/** The definitions are changing faster than the data can be read. */
export const schemaChanging = (): Problem =>
  new Problem('not-ready', 'The fields of this collection are being changed. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

export const readQueueFull = (): Problem =>
  new Problem('not-ready', 'Server busy. Try again in a moment.', { retryAfterSeconds: 2 })

/** The client has disconnected, so this error is never sent. */
export const clientClosedRequest = (): Problem => new Problem('not-ready', 'Client closed request.')

/** In seconds. */
const CHECK_RETRY_SECONDS = 5
const REPAIR_RETRY_SECONDS = 600

export const databaseCorrupted = (): Problem =>
  new Problem(
    'database-damaged',
    'The database file is damaged and now read-only. An administrator can run the doctor command and restore a backup.',
    { retryAfterSeconds: REPAIR_RETRY_SECONDS },
  )

export const databaseCheckRunning = (): Problem =>
  new Problem('database-damaged', 'The database file may be damaged and is being checked. Try again in a moment.', {
    retryAfterSeconds: CHECK_RETRY_SECONDS,
  })

/** A statement used a table or column that was removed by a definition change; retry with the current definitions. */
export class StaleSchemaError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'OutdatedRead'
  }
}

export class UniqueViolation extends Error {
  readonly field: FieldId

  constructor(field: FieldId, cause: unknown) {
    super(`Duplicate value in unique field ${field}.`, { cause })
    this.name = 'UniqueViolation'
    this.field = field
  }
}

/** The field of a unique violation: SQLite names the column (`c_….f_<field>`), PostgreSQL the index (`u_<field>`). */
export const uniqueFieldIn = (text: string): FieldId | undefined => /(?:\.f_|^u_)([0-9a-z]{26})$/.exec(text)?.[1]

export type CorruptionState =
  | { readonly type: 'whole' }
  | { readonly type: 'examining' }
  /** Damaged tables, or the whole file if no table could be identified. The database is then read-only. */
  | { readonly type: 'damaged'; readonly tables: readonly string[] }

/** Reports damage to the database file to the rest of the server. PostgreSQL checks its own files. */
export type CorruptionMonitor = {
  readonly state: () => CorruptionState
  readonly onSearchIndexDamage: (listener: (parts: readonly string[]) => void) => () => void
}

export const NO_CORRUPTION: CorruptionMonitor = {
  state: () => ({ type: 'whole' }),
  onSearchIndexDamage: () => () => undefined,
}

/** Matches tables of collections, their list fields and their search indexes; all others are system tables. */
const RECORD_TABLE = /\b[clst]_[0-9a-z]{26}\b/

/** Whether only record tables are damaged; users can then still sign in and read and export everything else. */
const isOfRecordsOnly = (tables: readonly string[]): boolean =>
  tables.length > 0 && tables.every((table) => RECORD_TABLE.test(table))

/** Rejects writes to a file that is damaged or being checked, because they could spread the damage. */
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
