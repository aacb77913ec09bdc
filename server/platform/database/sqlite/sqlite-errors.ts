import type { Problem } from '#domain/shared/problem.ts'
import {
  databaseUnavailable,
  databaseBusy,
  databaseDiskFull,
  databaseReadOnly,
  databaseCorrupted,
} from '#server/platform/database/errors/database-errors.ts'
import { StaleSchemaError } from '#server/platform/database/errors/stale-schema-error.ts'
import { UniqueViolation, uniqueFieldIn } from '#server/platform/database/errors/unique-violation.ts'
import type { ThreadFault } from './thread/thread-messages.ts'

/** The code of an error that SQLite reported, if it is one. */
export const sqliteCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'sqliteCode' in error && typeof error.sqliteCode === 'string' ? error.sqliteCode : undefined

const EXPECTED: { readonly [code: string]: () => Problem } = {
  SQLITE_BUSY: databaseBusy,
  // The lock is still held by a thread of ours that was given up.
  HELD_BY: databaseBusy,
  SQLITE_FULL: databaseDiskFull,
  SQLITE_READONLY: databaseReadOnly,
  SQLITE_IOERR: databaseUnavailable,
}

/** Whether SQLite says that the file is damaged; a search index whose settings are hurt says so only in words. */
export const isCorruptionFault = ({ code, message }: ThreadFault): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) || message.startsWith('vtable constructor failed')

/** The same of an error made by `errorOfFault`, or thrown by SQLite itself. */
export const isCorruption = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'database-damaged' || isCorruptionFault({ code: String(error.code), message: error.message }))

/** The error to throw for what a thread reported: a problem with a sentence where people can do something about it. */
export function toDatabaseError(fault: ThreadFault): Error {
  const field = fault.code === 'SQLITE_CONSTRAINT_UNIQUE' ? uniqueFieldIn(fault.message) : undefined
  if (field !== undefined) return new UniqueViolation(field, fault)
  if (/^no such (?:column|table): /.test(fault.message)) return new StaleSchemaError(fault.message, fault)

  // Extended codes such as SQLITE_BUSY_SNAPSHOT begin with the plain one.
  const plain = fault.code.split('_').slice(0, 2).join('_')
  const problem = isCorruptionFault(fault) ? databaseCorrupted() : EXPECTED[plain]?.()
  const error = problem ?? new Error(fault.message)
  return Object.assign(error, { sqliteCode: fault.code, cause: `${fault.code}: ${fault.message}` })
}

/** The database's own words for a fault that a problem explains to users. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return typeof error.cause === 'string' ? error.cause : error.message
}
