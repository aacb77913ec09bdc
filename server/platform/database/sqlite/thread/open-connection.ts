import BetterSqlite, { type Database } from 'better-sqlite3'
import type { ThreadSettings } from './thread-messages.ts'

/** "Doss": application ID in the file header, so that another program's database isn't mistaken for ours. */
const APPLICATION_ID = 0x446f7373

export const LOCKED_BY_OTHER_SERVER = 'HELD_BY_OTHER_SERVER'

export const FOREIGN_DATABASE = 'DATABASE_OF_OTHER_PROGRAM'

/** Busy timeout in ms. Only the command line writes at the same time as the server, in much shorter batches. */
const BUSY_TIMEOUT_MS = 5000

/**
 * Page caches in KiB. Measured on a million rows, a bigger cache makes scans slower (64 MB: up to 25 %), because the
 * pages then exceed the processor's cache; reads by key gain nothing beyond a few MB, because the file is in the
 * system's cache.
 */
const READER_CACHE_KIB = 8 * 1024
/** The writer updates every index of a changed row; if their upper levels are cached, it reads little. */
const WRITER_CACHE_KIB = 16 * 1024

/** A log above this size in bytes is truncated after a checkpoint. */
const MAX_WAL_BYTES = 64 * 1024 * 1024

export function openConnection(settings: ThreadSettings): Database {
  if (settings.lockFile !== undefined) heldLocks.push(holdLock(settings.lockFile))
  const isWriter = settings.role === 'writer'
  const timeout = settings.waitsForOthers === false ? 0 : BUSY_TIMEOUT_MS
  const db = new BetterSqlite(settings.file, { timeout, fileMustExist: !isWriter })
  try {
    if (isWriter) assertOwnDatabase(db)
    db.pragma('foreign_keys = on')
    db.pragma('trusted_schema = off')
    // Sorts beyond the cache use a temporary file: a million keys in memory would never be freed, and sorting them
    // there takes twice as long.
    db.pragma('temp_store = file')
    db.pragma(`cache_size = ${-(isWriter ? WRITER_CACHE_KIB : READER_CACHE_KIB)}`)
    if (isWriter) prepareForWriting(db)
    else db.pragma('query_only = on')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function prepareForWriting(db: Database): void {
  db.pragma('journal_mode = wal')
  // An acknowledged write was fsynced, so it survives a power loss.
  db.pragma('synchronous = full')
  db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`)
  // Keys of a large index are sorted by a second thread while the first reads, because other writes wait.
  db.pragma('threads = 1')
}

function assertOwnDatabase(db: Database): void {
  const owner = db.pragma('application_id', { simple: true })
  if (owner === APPLICATION_ID) return
  const hasTables = db.prepare('select 1 from sqlite_schema limit 1').get() !== undefined
  if (hasTables) throw new BetterSqlite.SqliteError('The file is a database of another program.', FOREIGN_DATABASE)
  db.pragma(`application_id = ${APPLICATION_ID}`)
}

/** SQLite's own file lock, held by an open transaction: the operating system releases it when the process ends. */
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

/** Referenced as long as the thread is alive. */
const heldLocks: Database[] = []
