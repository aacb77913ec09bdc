import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '#domain/shared/problem.ts'
import type { Secret } from '#server/platform/config/setting-readers.ts'
import type { Database } from './database.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { describeSqliteStartError } from './sqlite/sqlite-errors.ts'
import type { TimeLimits } from './time-limits.ts'
import { postgresCodeOf } from './postgres/postgres-errors.ts'

function describePostgresStartError(error: unknown, address: string): string {
  const { hostname, port, pathname, username } = new URL(address)
  const place = `${hostname || 'localhost'}:${port || '5432'}`
  const name = decodeURIComponent(pathname.slice(1))
  switch (postgresCodeOf(error)) {
    case 'ECONNREFUSED':
      return `DATABASE_URL: can't connect to PostgreSQL at ${place}. Start it, or correct the URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `DATABASE_URL: unknown host ${hostname}. Correct the URL.`
    case '28P01':
    case '28000':
      return `DATABASE_URL: authentication failed for user ${decodeURIComponent(username)} at ${place}. Check user and password.`
    case '3D000':
      return `DATABASE_URL: database ${name} doesn't exist at ${place}. Create it, for example with: createdb ${name}`
    case '57P03':
      return `DATABASE_URL: PostgreSQL at ${place} is starting up. Try again in a moment.`
    case '53300':
      return `DATABASE_URL: too many connections to PostgreSQL at ${place}. Raise max_connections, or close others.`
    case '42501':
      return `DATABASE_URL: user ${decodeURIComponent(username)} has no access to database ${name}. Grant it the required privileges.`
    default:
      return `DATABASE_URL: PostgreSQL at ${place} can't be used: ${error instanceof Error ? error.message : String(error)}`
  }
}

export type DatabaseLocation = {
  readonly dataFolder: string
  readonly databaseUrl?: Secret | undefined
}

/**
 * Two servers with the same SQLite file wouldn't detect each other's changes; CLI commands can run alongside a server.
 */
export type OpenedBy = 'server' | 'command-line'

export type OpenOptions = {
  readonly openedBy?: OpenedBy
  readonly limits?: TimeLimits
  readonly report?: (error: unknown) => void
}

export const DATABASE_FILE = 'dossier.db'

export const LOCK_FILE = 'server.lock'

/** Opens the configured database. Every failure is reported as a Problem with one message. */
export async function openDatabase(place: DatabaseLocation, options: OpenOptions = {}): Promise<Database> {
  await assertWritable(place.dataFolder)
  const { databaseUrl } = place
  const { limits, report } = options
  const common = { ...(limits && { limits }), ...(report && { report }) }
  if (databaseUrl !== undefined) {
    // Imported only if PostgreSQL is configured.
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres({ url: databaseUrl.reveal(), ...common }).catch((error: unknown) =>
      failStart(describePostgresStartError(error, databaseUrl.reveal())),
    )
  }
  const file = join(place.dataFolder, DATABASE_FILE)
  const lockFile = options.openedBy === 'command-line' ? undefined : join(place.dataFolder, LOCK_FILE)
  return openSqlite({ file, lockFile, ...common }).catch((error: unknown) =>
    failStart(describeSqliteStartError(error, file)),
  )
}

function failStart(sentence: string): never {
  throw new Problem('not-ready', sentence)
}

const FOLDER_FAULTS: { readonly [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'the folder cannot be created',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/**
 * Creates a folder and its parents, trying each folder once. Node's recursive mkdir loops forever if the system returns
 * ENOENT although the parent exists, for example in /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isThere) return
  const fault = await mkdir(folder).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (fault === undefined) return
  if (codeOf(fault.error) !== 'ENOENT' || dirname(folder) === folder) throw fault.error
  await makeFolder(dirname(folder))
  await mkdir(folder)
}

/** Creates the data folder if it is missing and checks that it is writable. */
async function assertWritable(folder: string): Promise<void> {
  const trial = join(folder, '.write-trial')
  try {
    await makeFolder(folder)
    await writeFile(trial, '')
    // Another process running the same check may have removed the file.
    await rm(trial, { force: true })
  } catch (error) {
    const code = codeOf(error)
    const reason = FOLDER_FAULTS[code] ?? `error ${code}`
    failStart(`DOSSIER_DATA: can't write to ${folder}: ${reason}. Choose a writable folder.`)
  }
}
