import { Problem } from '#domain/shared/problem.ts'

const seconds = (ms: number): string => (ms < 2000 ? `${ms} ms` : `${Math.round(ms / 1000)} seconds`)

/** A read that went on for too long and was given up. */
export const readTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Finding this took longer than ${seconds(limitMs)} and was stopped. Ask for less at once, for instance with a narrower filter.`,
  )

/** A write that went on for too long and was undone. */
export const writeTimedOut = (limitMs: number): Problem =>
  new Problem(
    'not-ready',
    `Storing this took longer than ${seconds(limitMs)}, so it was undone. Nothing was changed; try again, or change less at once.`,
  )

/** The database cannot be spoken to, and nothing was changed by what was asked. */
export const databaseUnavailable = (): Problem =>
  new Problem('not-ready', 'The database cannot be reached right now. Nothing was changed; try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** The connection broke while a write was being made durable. */
export const commitOutcomeUnknown = (): Problem =>
  new Problem(
    'not-ready',
    'The connection to the database broke at the last moment. The change may or may not be stored: look before you try again.',
    { retryAfterSeconds: 2 },
  )

/** Somebody else held the database for longer than we wait. */
export const databaseBusy = (): Problem =>
  new Problem('not-ready', 'Other changes kept the database busy. Nothing was changed; try again in a moment.', {
    retryAfterSeconds: 1,
  })

/** Somebody has to do something about a disk first. */
const DISK_RETRY_SECONDS = 60

/** The disk cannot take more. */
export const databaseDiskFull = (): Problem =>
  new Problem(
    'not-ready',
    'The disk of the database is full. Nothing was changed; make room on the server, then try again.',
    { retryAfterSeconds: DISK_RETRY_SECONDS },
  )

/** The disk, or the file, takes nothing at all. */
export const databaseReadOnly = (): Problem =>
  new Problem(
    'not-ready',
    'The disk of the database can only be read right now. Nothing was changed; whoever runs the server has to let it write again.',
    { retryAfterSeconds: DISK_RETRY_SECONDS },
  )

/** The server is on its way out. */
export const databaseClosed = (): Problem =>
  new Problem('not-ready', 'Dossier is stopping. Nothing was changed; try again once it runs.', {
    retryAfterSeconds: 5,
  })

/** What is read changes its fields faster than it can be read. */
export const schemaChanging = (): Problem =>
  new Problem('not-ready', 'The fields of what you asked for change right now. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

/** So many ask at once that nobody would wait for the answer. */
export const readQueueFull = (): Problem =>
  new Problem('not-ready', 'Too many ask at once right now. Try again in a moment.', { retryAfterSeconds: 2 })

/** Whoever asked went away, so the answer was not waited for; nobody reads this. */
export const clientClosedRequest = (): Problem => new Problem('not-ready', 'Nobody waits for this answer any more.')

/** How long a client waits before it asks again, in seconds. */
const CHECK_RETRY_SECONDS = 5
const REPAIR_RETRY_SECONDS = 600

/** The file is damaged: it can be read where it is whole, and not changed. */
export const databaseCorrupted = (): Problem =>
  new Problem(
    'database-damaged',
    'The database file is damaged: parts of it cannot be read, and nothing is changed. The administrator can run the doctor command and restore a backup.',
    { retryAfterSeconds: REPAIR_RETRY_SECONDS },
  )

/** Which tables are damaged is still being found out. */
export const databaseCheckRunning = (): Problem =>
  new Problem(
    'database-damaged',
    'Damage was found in the database file and is being examined. Try again in a moment.',
    {
      retryAfterSeconds: CHECK_RETRY_SECONDS,
    },
  )
