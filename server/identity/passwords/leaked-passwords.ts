import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { LEAKED_PASSWORD_MESSAGE } from '#domain/sessions/password-rules.ts'
import type { Clock } from '#domain/shared/time.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { type ChosenPassword, assertStrongPassword } from '#server/identity/users/create-user.ts'

/** Whether a password is in a list of leaked passwords; false if the list is unreachable. */
export type IsLeaked = (password: string) => Promise<boolean>

export type PasswordCheckDeps = { readonly isLeaked: IsLeaked }

/**
 * Throws a Problem if a password is unacceptable. Only passwords that pass our own rules are checked against the list.
 */
export async function assertSafePassword(
  { isLeaked }: PasswordCheckDeps,
  chosen: ChosenPassword,
  path = 'password',
): Promise<void> {
  assertStrongPassword(chosen, path)
  if (!(await isLeaked(chosen.password))) return
  const errors = [{ path, code: 'leaked', message: LEAKED_PASSWORD_MESSAGE }]
  throw new Problem('password-weak', LEAKED_PASSWORD_MESSAGE, { errors })
}

/** Timeout for requests to the list, in ms. */
const TIMEOUT_MS = 1500

/** Maximum response size; a typical response is about 40 kB. */
const MAX_BYTES = 1_000_000

/** Limits log entries while the list is unreachable. */
const LOG_INTERVAL_MS = 60_000

const PREFIX_DIGITS = 5

const ROW = /^([0-9A-F]{35}):(\d{1,12})$/i

type Deps = { readonly url: URL | undefined; readonly log: Logger; readonly clock: Clock }

/**
 * Looks up a password in a list of leaked ones by range: sends the first five of forty SHA-1 digits and receives all
 * hashes with that prefix, padded so that the length reveals nothing. Sends nothing if no list is configured.
 */
export function createLeakCheck({ url, log, clock }: Deps): IsLeaked {
  if (url === undefined) return async () => false
  let reportedAtMs = Number.NEGATIVE_INFINITY

  /** The password, its hash and the requested URL must never be logged. */
  function tell(fault: string): void {
    const nowMs = clock().getTime()
    if (nowMs - reportedAtMs < LOG_INTERVAL_MS) return
    reportedAtMs = nowMs
    log.warn({ fault }, 'leaked password check failed; accepting passwords without it')
  }

  return async (password) => {
    const hash = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
    const text = await fetchRange(url, hash.slice(0, PREFIX_DIGITS)).then(undefined, (error: unknown) =>
      fail(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable'),
    )
    const found = text.ok ? findInRange(text.value, hash.slice(PREFIX_DIGITS)) : text
    if (!found.ok) tell(found.fault)
    return found.ok && found.value
  }
}

async function fetchRange(base: URL, prefix: string): Promise<Result<string, string>> {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${prefix}`
  const answer = await fetch(url, {
    headers: { 'add-padding': 'true', 'user-agent': 'dossier' },
    // Rejects redirects to other servers.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    return fail(`status ${answer.status}`)
  }
  return readText(answer)
}

async function readText({ body }: Response): Promise<Result<string, string>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > MAX_BYTES) return fail('response too large')
    parts.push(part)
  }
  return ok(Buffer.concat(parts).toString('latin1'))
}

/** Padding rows have a count of 0. A response with malformed rows is ignored unless it contains the password. */
function findInRange(text: string, suffix: string): Result<boolean, string> {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const rows = lines.map((line) => ROW.exec(line.trim()))
  if (rows.some((row) => row?.[1]?.toUpperCase() === suffix && Number(row[2]) > 0)) return ok(true)
  return rows.includes(null) ? fail('invalid response') : ok(false)
}
