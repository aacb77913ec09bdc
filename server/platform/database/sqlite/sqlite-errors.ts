import type { Problem } from '#domain/shared/problem.ts'
import {
  databaseBusy,
  databaseCorrupted,
  databaseDiskFull,
  databaseReadOnly,
  databaseUnavailable,
  StaleSchemaError,
  uniqueFieldIn,
  UniqueViolation,
} from '#server/platform/database/database-errors.ts'
import type { ThreadFault } from './thread/thread-messages.ts'
import { FOREIGN_DATABASE, LOCKED_BY_OTHER_SERVER, UNEXPECTED_VALUE } from './thread/open-connection.ts'

/** What a write read outside its transaction has changed in the meantime. */
export class OptimisticConflict extends Error {}

const sqliteCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'sqliteCode' in error && typeof error.sqliteCode === 'string' ? error.sqliteCode : undefined

const EXPECTED: { readonly [code: string]: () => Problem } = {
  SQLITE_BUSY: databaseBusy,
  // An abandoned thread in this process still holds the lock.
  HELD_BY: databaseBusy,
  SQLITE_FULL: databaseDiskFull,
  SQLITE_READONLY: databaseReadOnly,
  SQLITE_IOERR: databaseUnavailable,
  SQLITE_SCHEMA: databaseBusy,
}

/**
 * Whether SQLite reports a damaged file. For a search index with damaged settings, only the error message shows it; it is
 * the same if another connection changed tables at that moment.
 */
export const isCorruptionFault = ({ code, message }: ThreadFault): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ||
  (message.startsWith('vtable constructor failed') && code !== 'SQLITE_SCHEMA')

export const isCorruption = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'database-damaged' || isCorruptionFault({ code: String(error.code), message: error.message }))

export function toDatabaseError(fault: ThreadFault): Error {
  const field = fault.code === 'SQLITE_CONSTRAINT_UNIQUE' ? uniqueFieldIn(fault.message) : undefined
  if (field !== undefined) return new UniqueViolation(field, fault)
  if (fault.code === UNEXPECTED_VALUE) return new OptimisticConflict(fault.message)
  if (/^no such (?:column|table): /.test(fault.message)) return new StaleSchemaError(fault.message, fault)

  // Extended codes such as SQLITE_BUSY_SNAPSHOT start with the primary code.
  const plain = fault.code.split('_').slice(0, 2).join('_')
  const problem = isCorruptionFault(fault) ? databaseCorrupted() : EXPECTED[plain]?.()
  const error = problem ?? new Error(fault.message)
  return Object.assign(error, { sqliteCode: fault.code, cause: `${fault.code}: ${fault.message}` })
}

export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return typeof error.cause === 'string' ? error.cause : error.message
}

const SENTENCES: readonly (readonly [code: string, sentence: (file: string) => string])[] = [
  [
    LOCKED_BY_OTHER_SERVER,
    (file) => `Another Dossier server is already using ${file}. Stop it first, or set DOSSIER_DATA to another folder.`,
  ],
  [
    FOREIGN_DATABASE,
    (file) => `DOSSIER_DATA: ${file} is a database of another program. Nothing was changed. Choose another folder.`,
  ],
  [
    'SQLITE_NOTADB',
    (file) => `DOSSIER_DATA: ${file} isn't a database. Nothing was changed. Choose another folder, or move the file.`,
  ],
  [
    'SQLITE_CORRUPT',
    (file) =>
      `The database ${file} is damaged. Nothing was changed. Restore a backup, or keep a copy of the file and ask for help.`,
  ],
  ['SQLITE_BUSY', (file) => `The database ${file} is locked by another program. Stop that program, then start again.`],
  // SQLITE_IOERR_SHMSIZE means that the shared-memory file couldn't be extended.
  ...['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].map((code): (typeof SENTENCES)[number] => [
    code,
    (file) => `The disk of ${file} is full. Free up space, then start again.`,
  ]),
  ...['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'].map((code): (typeof SENTENCES)[number] => [
    code,
    (file) => `DOSSIER_DATA: no write permission for the database ${file}. Grant it, or choose another folder.`,
  ]),
]

export function describeSqliteStartError(error: unknown, file: string): string {
  const code = sqliteCodeOf(error) ?? ''
  const known = SENTENCES.find(([start]) => code.startsWith(start))
  if (known) return known[1](file)
  const reason = error instanceof Error ? error.message : String(error)
  return `Can't open the database ${file} (${code || 'no code'}): ${reason}`
}
