import BetterSqlite, { type Database } from 'better-sqlite3'
import type { ThreadSettings } from './thread-messages.ts'

/** "Doss": written into the head of our files, so that another program's database is not taken for ours. */
const APPLICATION_ID = 0x446f7373

/** The code of the fault when another server holds the data folder. */
export const LOCKED_BY_OTHER_SERVER = 'HELD_BY_OTHER_SERVER'

/** The code of the fault when the file belongs to another program. */
export const FOREIGN_DATABASE = 'DATABASE_OF_OTHER_PROGRAM'

/**
 * How long a statement waits for another process, in ms. Within one server nobody waits: it has one writer. Beside it
 * only the command line writes, in batches far shorter than this.
 */
const BUSY_TIMEOUT_MS = 5000

/**
 * Page caches in KiB. Measured on a million rows, a bigger cache makes scans slower (64 MB: up to 25 %), as the pages
 * then no longer fit the processor's; reads by key gain nothing beyond a few MB, since the file is in the system's cache.
 */
const READER_CACHE_KIB = 8 * 1024
/** The writer touches every index of what it changes; with room for their upper levels it reads little. */
const WRITER_CACHE_KIB = 16 * 1024

/** A log bigger than this after a checkpoint is cut back, in bytes: a big import leaves no giant behind. */
const MAX_WAL_BYTES = 64 * 1024 * 1024

/** Opens the database as the thread's role needs it. The writer makes the file when it is missing. */
export function openConnection(settings: ThreadSettings): Database {
  if (settings.lockFile !== undefined) heldLocks.push(holdLock(settings.lockFile))
  const isWriter = settings.role === 'writer'
  const timeout = settings.waitsForOthers === false ? 0 : BUSY_TIMEOUT_MS
  const db = new BetterSqlite(settings.file, { timeout, fileMustExist: !isWriter })
  try {
    if (isWriter) assertOwnDatabase(db)
    db.pragma('foreign_keys = on')
    db.pragma('trusted_schema = off')
    // What is sorted beyond the cache goes through a file: a million keys in memory would never come back, and to sort
    // them there takes twice as long.
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
  // An answered write has been through fsync, so a cut of power takes nothing that was acknowledged.
  db.pragma('synchronous = full')
  db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`)
  // An index of a million keys is sorted by a second thread while the first reads: other writes wait for it.
  db.pragma('threads = 1')
}

/** Marks a new file as ours and refuses one that holds another program's tables. */
function assertOwnDatabase(db: Database): void {
  const owner = db.pragma('application_id', { simple: true })
  if (owner === APPLICATION_ID) return
  const hasTables = db.prepare('select 1 from sqlite_schema limit 1').get() !== undefined
  if (hasTables) throw new BetterSqlite.SqliteError('The file is a database of another program.', FOREIGN_DATABASE)
  db.pragma(`application_id = ${APPLICATION_ID}`)
}

/**
 * SQLite's own file lock, held by an open transaction: the system lets go of it when the process ends in whatever way,
 * so no stale lock is ever left. Closing the connection lets go of it, too.
 */
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

/** They stay referenced for as long as the thread lives. */
const heldLocks: Database[] = []
