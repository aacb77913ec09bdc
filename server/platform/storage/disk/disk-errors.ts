import { Problem } from '#domain/shared/problem.ts'

const RETRY_AFTER_SECONDS = 60

const FULL = 'The server disk is full. Free up space, then try again.'
const CLOSED = 'The server disk is read-only. Make it writable, then try again.'

const DISK_MESSAGES: { readonly [code: string]: string } = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: CLOSED,
  EPERM: CLOSED,
  EACCES: CLOSED,
  EIO: CLOSED,
}

export function toDiskProblem(error: Error): Problem | undefined {
  const sentence = 'code' in error && typeof error.code === 'string' ? DISK_MESSAGES[error.code] : undefined
  return sentence === undefined
    ? undefined
    : new Problem('not-ready', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
