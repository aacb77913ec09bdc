import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { LEAKED_PASSWORD_MESSAGE } from '#domain/sessions/password-rules.ts'
import type { Clock } from '#domain/shared/time.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { type ChosenPassword, assertStrongPassword } from '#server/identity/users/create-user.ts'

/** Whether a password stands in a list of leaked ones, as far as anybody can be asked; false when nobody answers. */
export type IsLeaked = (password: string) => Promise<boolean>

/** What judging a chosen password needs. */
export type PasswordCheckDeps = { readonly isLeaked: IsLeaked }

/** Throws the sentence of what is wrong with a chosen password. Only what passes our own rules is asked about outside. */
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

/** Whoever chooses a password waits no longer than this for the list. */
const TIMEOUT_MS = 1500

/** An answer has some 40 kB; a longer one is none. */
const MAX_BYTES = 1_000_000

/** A list that is away is not told with every password. */
const LOG_INTERVAL_MS = 60_000

const PREFIX_DIGITS = 5

const ROW = /^([0-9A-F]{35}):(\d{1,12})$/i

type Deps = { readonly url: URL | undefined; readonly log: Logger; readonly clock: Clock }

/**
 * Asks a list of leaked passwords by range: five of the forty digits of a SHA-1 go out, everything that begins with
 * them comes back, padded so that not even its length tells which it was. Without a list nothing is asked.
 */
export function createLeakCheck({ url, log, clock }: Deps): IsLeaked {
  if (url === undefined) return async () => false
  let toldAtMs = Number.NEGATIVE_INFINITY

  /** Nothing of the password, of its hash or of the address asked may stand in the log. */
  function tell(fault: string): void {
    const nowMs = clock().getTime()
    if (nowMs - toldAtMs < LOG_INTERVAL_MS) return
    toldAtMs = nowMs
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
    // Another server than the one that was named is not asked.
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

/** Rows of padding bear the count 0. An answer with a row of another form is not believed, unless it names the password. */
function findInRange(text: string, suffix: string): Result<boolean, string> {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const rows = lines.map((line) => ROW.exec(line.trim()))
  if (rows.some((row) => row?.[1]?.toUpperCase() === suffix && Number(row[2]) > 0)) return ok(true)
  return rows.includes(null) ? fail('invalid response') : ok(false)
}
