import { Problem } from '#domain/shared/problem.ts'

const seconds = (ms: number): string => (ms < 2000 ? `${ms} ms` : `${Math.round(ms / 1000)} seconds`)

/** A read that went on for too long and was given up. */
export const readTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Query timeout: stopped after ${seconds(limitMs)}. Request less data, for example with a narrower filter.`,
  )

/** A write that went on for too long and was undone. */
export const writeTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Write timeout: rolled back after ${seconds(limitMs)}. Nothing was changed. Try again, or change less at once.`,
  )

/** The database cannot be spoken to, and nothing was changed by what was asked. */
export const databaseUnavailable = (): Problem =>
  new Problem('not-ready', 'Can’t reach the database. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** The connection broke while a write was being made durable. */
export const commitOutcomeUnknown = (): Problem =>
  new Problem(
    'not-ready',
    'The database connection was lost during the commit. Check whether the change was saved before you try again.',
    { retryAfterSeconds: 2 },
  )

/** Somebody else held the database for longer than we wait. */
export const databaseBusy = (): Problem =>
  new Problem('not-ready', 'Database busy. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

/** Somebody has to do something about a disk first. */
const DISK_RETRY_SECONDS = 60

/** The disk cannot take more. */
export const databaseDiskFull = (): Problem =>
  new Problem(
    'not-ready',
    'The database disk is full. Nothing was changed. Free up space on the server, then try again.',
    { retryAfterSeconds: DISK_RETRY_SECONDS },
  )

/** The disk, or the file, takes nothing at all. */
export const databaseReadOnly = (): Problem =>
  new Problem('not-ready', 'The database disk is read-only. Nothing was changed. Contact your administrator.', {
    retryAfterSeconds: DISK_RETRY_SECONDS,
  })

/** The server is on its way out. */
export const databaseClosed = (): Problem =>
  new Problem('not-ready', 'The server is shutting down. Nothing was changed. Try again after it restarts.', {
    retryAfterSeconds: 5,
  })

/** What is read changes its fields faster than it can be read. */
export const schemaChanging = (): Problem =>
  new Problem('not-ready', 'The fields of this collection are being changed. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

/** So many ask at once that nobody would wait for the answer. */
export const readQueueFull = (): Problem =>
  new Problem('not-ready', 'Server busy. Try again in a moment.', { retryAfterSeconds: 2 })

/** Whoever asked went away, so the answer was not waited for; nobody reads this. */
export const clientClosedRequest = (): Problem => new Problem('not-ready', 'Client closed request.')

/** How long a client waits before it asks again, in seconds. */
const CHECK_RETRY_SECONDS = 5
const REPAIR_RETRY_SECONDS = 600

/** The file is damaged: it can be read where it is whole, and not changed. */
export const databaseCorrupted = (): Problem =>
  new Problem(
    'database-damaged',
    'The database file is damaged and now read-only. An administrator can run the doctor command and restore a backup.',
    { retryAfterSeconds: REPAIR_RETRY_SECONDS },
  )

/** Which tables are damaged is still being found out. */
export const databaseCheckRunning = (): Problem =>
  new Problem('database-damaged', 'The database file may be damaged and is being checked. Try again in a moment.', {
    retryAfterSeconds: CHECK_RETRY_SECONDS,
  })
