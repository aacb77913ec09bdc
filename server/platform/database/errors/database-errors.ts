import { Problem } from '#domain/shared/problem.ts'

const seconds = (ms: number): string => (ms < 2000 ? `${ms} ms` : `${Math.round(ms / 1000)} seconds`)

export const readTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Query timeout: stopped after ${seconds(limitMs)}. Request less data, for example with a narrower filter.`,
  )

/** The write took too long and was rolled back. */
export const writeTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Write timeout: rolled back after ${seconds(limitMs)}. Nothing was changed. Try again, or change less at once.`,
  )

/** The database is unreachable, and nothing was changed. */
export const databaseUnavailable = (): Problem =>
  new Problem('not-ready', 'Can’t reach the database. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** The connection broke during the commit, so the outcome is unknown. */
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

/** The definitions change faster than the data can be read. */
export const schemaChanging = (): Problem =>
  new Problem('not-ready', 'The fields of this collection are being changed. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

export const readQueueFull = (): Problem =>
  new Problem('not-ready', 'Server busy. Try again in a moment.', { retryAfterSeconds: 2 })

/** The client disconnected; no one reads this error. */
export const clientClosedRequest = (): Problem => new Problem('not-ready', 'Client closed request.')

/** Retry delay in seconds. */
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
