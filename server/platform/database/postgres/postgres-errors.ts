import {
  databaseBusy,
  databaseDiskFull,
  databaseUnavailable,
  readTimedOut,
  StaleSchemaError,
  uniqueFieldIn,
  UniqueViolation,
} from '#server/platform/database/database-errors.ts'

/** SQLSTATE, or the error code of a network error. */
export const postgresCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** A serialization failure or deadlock; the work can be retried. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(postgresCodeOf(error) ?? '')

/** A statement with a name returns other columns than when it was prepared, because a table was changed. */
export const isPlanOutdated = (error: unknown): boolean => postgresCodeOf(error) === '0A000'

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH'])

export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

function isUnavailable(error: unknown): boolean {
  const code = postgresCodeOf(error) ?? ''
  // Class 08: connection exceptions. 57P01 to 57P03: shutting down, crashed, starting up. 53300: too many connections.
  if (NETWORK.has(code) || /^(?:08...|57P0[123]|53300)$/.test(code)) return true
  if (isConnectionLost(error)) return true
  return (
    error instanceof Error &&
    /connection (?:error|terminated|timeout|ended)|client was closed|timeout exceeded when/i.test(error.message)
  )
}

export function toDatabaseError(error: unknown, limitMs: number): Error {
  const code = postgresCodeOf(error)
  const cause = error instanceof Error ? error : new Error(String(error))
  if (isUnavailable(error)) return Object.assign(databaseUnavailable(), { cause })
  if (isConflict(error) || code === '55P03') return Object.assign(databaseBusy(), { cause })
  if (code === '57014') return Object.assign(readTimedOut(limitMs), { cause })
  if (code === '53100') return Object.assign(databaseDiskFull(), { cause })
  // Undefined column and undefined table.
  if (code === '42703' || code === '42P01') return new StaleSchemaError(cause.message, cause)
  const field = code === '23505' && 'constraint' in cause ? uniqueFieldIn(String(cause.constraint)) : undefined
  return field === undefined ? cause : new UniqueViolation(field, cause)
}
