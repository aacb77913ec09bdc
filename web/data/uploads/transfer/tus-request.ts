import { serverTranslator } from '#web/i18n/server-messages.ts'
import { renewSigned, signedHeaders } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { readProblem } from '#web/data/api/send-request.ts'
import type { SignedHeaders } from '#web/data/session/access-token.ts'
import { UPLOAD } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'

/** How one try to send failed. */
export type SendFailure =
  | {
      readonly is: 'refused'
      /** What was asked: to begin, how far it is, or to take bytes. */
      readonly asked: 'create' | 'look' | 'chunk'
      readonly status: number
      /** The server's own sentence where it gave one. */
      readonly detail: string | null
      readonly retryAfterMs: number | null
    }
  /** No answer came. */
  | { readonly is: 'cut' }
  /** The browser could not read the file. */
  | { readonly is: 'unreadable' }
  /** The session is over, or could not be renewed. */
  | { readonly is: 'session-over' }

/** What becomes of a file after a try in vain. */
export type FailureAction =
  | { readonly do: 'wait'; readonly ms: number }
  /** Until the server can be reached again. */
  | { readonly do: 'await-server' }
  | { readonly do: 'renew-token' }
  /** The server has let go of what was sent in an earlier visit. */
  | { readonly do: 'start-anew' }
  | { readonly do: 'ask-for-file' }
  | { readonly do: 'hold' }
  | { readonly do: 'fail'; readonly why: string }

/** There is no such upload, or not any more. */
const UNKNOWN = [404, 410]

/** Refusals that may pass: a conflict of places, a lock, too early, too many. */
const TRANSIENT_STATUSES = [408, 409, 423, 425, 429, 460]

/** Errors of a server that no repetition mends. */
const PERMANENT_STATUSES = [501, 505, 507, 508]

/** Somebody in the server's place says that it is away, or the server that something it needs is. */
const UNAVAILABLE_STATUSES = [502, 503, 504]

/** What our server says instead to whoever asks how far a file is, because tus clients would begin anew. */
const LOCKED = 423

/** A server that asks for more patience than this is not waited for without a word, in ms. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

const BROKEN_OFF = t(
  'The server failed several times. Nothing is lost; try again to continue where the upload stopped.',
)
const REJECTED = t('The server rejected this file, or you can no longer add files here.')

/** Judges a failure after `tries` repetitions in vain since the last byte that was taken. */
export function classifyFailure(failure: SendFailure, tries: number): FailureAction {
  switch (failure.is) {
    case 'unreadable':
      return { do: 'ask-for-file' }
    case 'session-over':
      return { do: 'hold' }
    case 'cut':
      return retryAfter(tries, 0) ?? { do: 'await-server' }
    case 'refused':
      return classifyRejection(failure, tries)
  }
}

type Rejection = Extract<SendFailure, { is: 'refused' }>

function classifyRejection(refusal: Rejection, tries: number): FailureAction {
  const { status, asked, detail, retryAfterMs } = refusal
  if (status === 401) return { do: 'renew-token' }
  if (asked === 'look' && UNKNOWN.includes(status)) return { do: 'start-anew' }
  if (!isTransient(status)) return { do: 'fail', why: detail ?? REJECTED }
  const waitMs = retryAfterMs ?? 0
  const again = waitMs > MAX_RETRY_AFTER_MS ? undefined : retryAfter(tries, waitMs)
  if (again) return again
  return isAway(refusal) && waitMs <= MAX_RETRY_AFTER_MS
    ? { do: 'await-server' }
    : { do: 'fail', why: detail ?? BROKEN_OFF }
}

const isAway = ({ asked, status }: Rejection): boolean =>
  UNAVAILABLE_STATUSES.includes(status) || (asked === 'look' && status === LOCKED)

const isTransient = (status: number): boolean =>
  status >= 500 ? !PERMANENT_STATUSES.includes(status) : TRANSIENT_STATUSES.includes(status) || status < 400

/** The specification's waits, or longer where the server asks for it. */
function retryAfter(tries: number, atLeastMs: number): FailureAction | undefined {
  const ms = UPLOAD.chunkRetryDelaysMs[tries]
  return ms === undefined ? undefined : { do: 'wait', ms: Math.max(ms, atLeastMs) }
}

/** One request of tus 1.0. */
export type TusRequest = {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: Blob
  /** Bytes of the body that have left this machine. */
  readonly onSent?: (bytes: number) => void
  readonly signal: AbortSignal
}

/** What a good answer says. */
export type TusResponse = { readonly location: string | null; readonly offset: number }

/** A request is answered well, or failed. `failed` also when it was given up; who gave it up knows. */
export type TusOutcome =
  | { readonly ok: true; readonly answer: TusResponse }
  | { readonly ok: false; readonly failure: SendFailure }

const REQUEST_NAMES = { POST: 'create', HEAD: 'look', PATCH: 'chunk', DELETE: 'look' } as const

const failed = (failure: SendFailure): TusOutcome => ({ ok: false, failure })

/** Sends one request as whoever is signed in; a token that was refused is renewed once. */
export async function tusRequest(request: TusRequest): Promise<TusOutcome> {
  const headers = await headersOf(signedHeaders)
  if (isFailure(headers)) return failed(headers.failure)
  const first = await sendOnce(request, headers)
  if (first.ok || first.failure.is !== 'refused' || first.failure.status !== 401) return first
  const renewed = await headersOf(async () => ((await renewSigned(headers)) ? signedHeaders() : headers))
  if (isFailure(renewed)) return failed(renewed.failure)
  return renewed === headers ? failed({ is: 'session-over' }) : sendOnce(request, renewed)
}

type NoHeaders = { readonly failure: SendFailure }

const isFailure = (headers: SignedHeaders | NoHeaders): headers is NoHeaders => typeof headers['failure'] === 'object'

/** Without a session nothing is sent; that the server is out of reach for a new token may pass. */
const headersOf = (ask: () => Promise<SignedHeaders>): Promise<SignedHeaders | NoHeaders> =>
  ask().then(
    (headers) => ('authorization' in headers ? headers : { failure: { is: 'session-over' } as const }),
    (error: unknown) => ({
      failure: { is: toCallError(error)?.isPassing === true ? 'cut' : 'session-over' } as const,
    }),
  )

/** `fetch` does not tell how much of a body is sent. */
function sendOnce(request: TusRequest, signed: SignedHeaders): Promise<TusOutcome> {
  const { method, url, headers, body, onSent, signal } = request
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, url)
    for (const [name, value] of Object.entries({ 'tus-resumable': '1.0.0', ...headers, ...signed }))
      xhr.setRequestHeader(name, value)
    const stopWatch = watchStall(xhr)
    xhr.addEventListener('loadend', stopWatch)
    if (onSent) xhr.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    xhr.addEventListener('error', () => resolve(failed({ is: 'cut' })))
    xhr.addEventListener('abort', () => resolve(failed({ is: 'cut' })))
    xhr.addEventListener('load', () => void outcomeOf(xhr, method).then(resolve))
    const giveUp = () => xhr.abort()
    signal.addEventListener('abort', giveUp)
    xhr.addEventListener('loadend', () => signal.removeEventListener('abort', giveUp))
    if (signal.aborted) resolve(failed({ is: 'cut' }))
    else xhr.send(body)
  })
}

/** A line on which nothing moves for so long is dead without having said so, in ms. */
const STALL_TIMEOUT_MS = 60_000

/** With its last bytes a file is finished, which takes a slow store its time, in ms. */
const FINISH_MS = 10 * 60_000

/** Gives a request up on which nothing moves any more. */
function watchStall(xhr: XMLHttpRequest): () => void {
  const giveUp = () => xhr.abort()
  let timer = setTimeout(giveUp, STALL_TIMEOUT_MS)
  const watch = (ms: number) => () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, ms)
  }
  xhr.upload.addEventListener('progress', watch(STALL_TIMEOUT_MS))
  xhr.upload.addEventListener('load', watch(FINISH_MS))
  return () => clearTimeout(timer)
}

async function outcomeOf(xhr: XMLHttpRequest, method: TusRequest['method']): Promise<TusOutcome> {
  const { status } = xhr
  const offset = xhr.getResponseHeader('upload-offset')
  if (status >= 200 && status < 300 && (offset !== null || method === 'DELETE'))
    return { ok: true, answer: { location: xhr.getResponseHeader('location'), offset: Number(offset) } }
  const isJson = xhr.getResponseHeader('content-type')?.includes('json') === true
  const problem = isJson ? readProblem(parsed(xhr.responseText), status, null, await serverTranslator()) : undefined
  return failed({
    is: 'refused',
    asked: REQUEST_NAMES[method],
    // A good answer without an offset is none of our server's: something stands in its place.
    status: status < 400 ? 502 : status,
    detail: problem?.detail ?? null,
    retryAfterMs: retryAfterOf(xhr.getResponseHeader('retry-after')),
  })
}

function parsed(text: string): unknown {
  return text.trimStart().startsWith('{') ? (JSON.parse(text) as unknown) : undefined
}

/** Seconds or a date, as HTTP says it. */
function retryAfterOf(said: string | null): number | null {
  if (said === null) return null
  const seconds = Number(said)
  const ms = Number.isNaN(seconds) ? Date.parse(said) - Date.now() : seconds * 1000
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
