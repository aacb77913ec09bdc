import BetterSqlite, { type Database } from 'better-sqlite3'
import { createProgramRunner, type StoredCell } from '#domain/formulas/run-program.ts'
import { rollupCell } from '#domain/rollups/summarize.ts'
import { foldFormulaText } from '#domain/formulas/operations/texts.ts'
import { SQLITE_FORMULA_FUNCTION } from '../formula-function.ts'
import type { ThreadSettings } from './thread-messages.ts'

/** Application ID in the file header ("Doss"), so that another program's database isn't mistaken for ours. */
const APPLICATION_ID = 0x446f7373

export const LOCKED_BY_OTHER_SERVER = 'HELD_BY_OTHER_SERVER'

export const FOREIGN_DATABASE = 'DATABASE_OF_OTHER_PROGRAM'

export const UNEXPECTED_VALUE = 'UNEXPECTED_VALUE'

/** Busy timeout in ms. Only CLI commands write at the same time as the server, in much shorter batches. */
const BUSY_TIMEOUT_MS = 5000

/**
 * Page cache sizes in KiB. With a million rows, larger caches make scans slower (up to 25 % with 64 MB), because they
 * exceed the processor cache. Reads by key don't benefit beyond a few MB, because the operating system caches the file.
 */
const READER_CACHE_KIB = 8 * 1024
/**
 * The writer updates all indexes of a changed row; with their upper levels cached, it rarely needs to read from disk.
 */
const WRITER_CACHE_KIB = 16 * 1024

/** If the WAL exceeds this size in bytes, it is truncated after a checkpoint. */
const MAX_WAL_BYTES = 64 * 1024 * 1024

/** Pages in the WAL at which a commit does the checkpoint itself, because those in the background are too slow. */
const MAX_WAL_PAGES = 32_000

export function openConnection(settings: ThreadSettings): Database {
  if (settings.lockFile !== undefined) heldLocks.push(holdLock(settings.lockFile))
  const isWriter = settings.role === 'writer'
  const timeout = settings.waitsForOthers === false ? 0 : BUSY_TIMEOUT_MS
  const db = new BetterSqlite(settings.file, { timeout, fileMustExist: !isWriter })
  try {
    if (isWriter) assertOwnDatabase(db)
    db.pragma('foreign_keys = on')
    db.pragma('trusted_schema = on')
    // Sorts that exceed the cache use a temporary file: in memory, a million keys would never be freed, and sorting
    // would take twice as long.
    db.pragma('temp_store = file')
    db.pragma(`cache_size = ${-(isWriter ? WRITER_CACHE_KIB : READER_CACHE_KIB)}`)
    addFormulaFunctions(db)
    if (isWriter) prepareForWriting(db)
    else db.pragma('query_only = on')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Formulas are evaluated by the same functions as in memory. Indexes contain these functions, which SQLite permits only
 * if it trusts the schema; they have no side effects.
 */
function addFormulaFunctions(db: Database): void {
  const run = createProgramRunner()
  const options = { deterministic: true }
  db.function(SQLITE_FORMULA_FUNCTION, { ...options, varargs: true }, (program: unknown, ...cells: unknown[]) =>
    run(String(program), cells as StoredCell[]),
  )
  db.function('dossier_rollup', options, (name: unknown, values: unknown) => rollupCell(String(name), String(values)))
  db.function('dossier_fold', options, (text: unknown) => (typeof text === 'string' ? foldFormulaText(text) : null))
}

function prepareForWriting(db: Database): void {
  db.pragma('journal_mode = wal')
  dropOutdatedFormulaIndexes(db)
  // Acknowledged writes are fsynced, so they survive a power loss.
  db.pragma('synchronous = full')
  db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`)
  db.pragma(`wal_autocheckpoint = ${MAX_WAL_PAGES}`)
  // Sorts a large index's keys in a second thread while the first one reads, because other writes are waiting.
  db.pragma('threads = 1')
}

/** Indexes whose values an earlier version computed; they are created again on demand. */
function dropOutdatedFormulaIndexes(db: Database): void {
  const indexes = db
    .prepare<[string], { readonly name: string }>(
      "select name from sqlite_schema where type = 'index' and sql like '%dossier_formula%' and instr(sql, ?) = 0",
    )
    .all(`${SQLITE_FORMULA_FUNCTION}(`)
  for (const { name } of indexes) db.exec(`drop index "${name.replaceAll('"', '""')}"`)
}

function assertOwnDatabase(db: Database): void {
  const owner = db.pragma('application_id', { simple: true })
  if (owner === APPLICATION_ID) return
  const hasTables = db.prepare('select 1 from sqlite_schema limit 1').get() !== undefined
  if (hasTables) throw new BetterSqlite.SqliteError('The file is a database of another program.', FOREIGN_DATABASE)
  db.pragma(`application_id = ${APPLICATION_ID}`)
}

/** Uses SQLite's own file lock, held by an open transaction; the operating system releases it when the process ends. */
export function holdLock(file: string): Database {
  const lock = new BetterSqlite(file, { timeout: 0 })
  try {
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof BetterSqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw new BetterSqlite.SqliteError('Another server is using the data folder.', LOCKED_BY_OTHER_SERVER)
  }
}

/** Prevents garbage collection of the locks while the thread is running. */
const heldLocks: Database[] = []
