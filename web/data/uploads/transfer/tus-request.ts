import { serverTranslator } from '#web/i18n/server-messages.ts'
import { renewSigned, signedHeaders } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { readProblem } from '#web/data/api/send-request.ts'
import type { SignedHeaders } from '#web/data/session/access-token.ts'
import { UPLOAD } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'

export type SendFailure =
  | {
      readonly is: 'refused'
      readonly requested: 'create' | 'offset' | 'chunk'
      readonly status: number
      readonly detail: string | null
      readonly retryAfterMs: number | null
    }
  | { readonly is: 'cut' }
  | { readonly is: 'unreadable' }
  | { readonly is: 'session-over' }

export type FailureAction =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'await-server' }
  | { readonly do: 'renew-token' }
  /** The server has deleted the partial data from an earlier visit. */
  | { readonly do: 'restart' }
  | { readonly do: 'ask-for-file' }
  | { readonly do: 'hold' }
  | { readonly do: 'fail'; readonly why: string }

const UNKNOWN = [404, 410]

/** Temporary statuses: timeout, conflicting offset, lock, too early, too many requests, checksum mismatch. */
const TRANSIENT_STATUSES = [408, 409, 423, 425, 429, 460]

/** Server errors that can't be fixed by retrying. */
const PERMANENT_STATUSES = [501, 505, 507, 508]

/** A proxy reports that the server is down, or the server reports that a dependency is unavailable. */
const UNAVAILABLE_STATUSES = [502, 503, 504]

/**
 * Status that the server returns for failed offset requests, because tus clients would restart the upload on any other
 * status.
 */
const LOCKED = 423

/** Delays longer than this, in ms, are shown to the user. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

const BROKEN_OFF = t(
  'The server failed several times. Nothing is lost; try again to continue where the upload stopped.',
)
const REJECTED = t('The server rejected this file, or you can no longer add files here.')

/**
 * Determines how to continue after a failure; `tries` is the number of retries since the server last accepted a byte.
 */
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
  const { status, requested, detail, retryAfterMs } = refusal
  if (status === 401) return { do: 'renew-token' }
  if (requested === 'offset' && UNKNOWN.includes(status)) return { do: 'restart' }
  if (!isTransient(status)) return { do: 'fail', why: detail ?? REJECTED }
  const waitMs = retryAfterMs ?? 0
  const again = waitMs > MAX_RETRY_AFTER_MS ? undefined : retryAfter(tries, waitMs)
  if (again) return again
  return isAway(refusal) && waitMs <= MAX_RETRY_AFTER_MS
    ? { do: 'await-server' }
    : { do: 'fail', why: detail ?? BROKEN_OFF }
}

const isAway = ({ requested, status }: Rejection): boolean =>
  UNAVAILABLE_STATUSES.includes(status) || (requested === 'offset' && status === LOCKED)

const isTransient = (status: number): boolean =>
  status >= 500 ? !PERMANENT_STATUSES.includes(status) : TRANSIENT_STATUSES.includes(status) || status < 400

/** The delays in the specification, or a longer one if the server requests it. */
function retryAfter(tries: number, minMs: number): FailureAction | undefined {
  const ms = UPLOAD.chunkRetryDelaysMs[tries]
  return ms === undefined ? undefined : { do: 'wait', ms: Math.max(ms, minMs) }
}

export type TusRequest = {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: Blob
  readonly onSent?: (bytes: number) => void
  readonly signal: AbortSignal
}

export type TusResponse = { readonly location: string | null; readonly offset: number }

export type TusOutcome =
  | { readonly ok: true; readonly answer: TusResponse }
  | { readonly ok: false; readonly failure: SendFailure }

const REQUEST_NAMES = { POST: 'create', HEAD: 'offset', PATCH: 'chunk', DELETE: 'offset' } as const

const failed = (failure: SendFailure): TusOutcome => ({ ok: false, failure })

/** Sends a request as the signed-in user; refreshes a rejected token once. */
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

/** Returns a failure if there is no session; if a refresh can't reach the server, the failure is temporary. */
const headersOf = (ask: () => Promise<SignedHeaders>): Promise<SignedHeaders | NoHeaders> =>
  ask().then(
    (headers) => ('authorization' in headers ? headers : { failure: { is: 'session-over' } as const }),
    (error: unknown) => ({
      failure: { is: toCallError(error)?.isPassing === true ? 'cut' : 'session-over' } as const,
    }),
  )

/** XMLHttpRequest is used because `fetch` doesn't report upload progress. */
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

/** Time in ms without progress after which a connection is considered dead. */
const STALL_TIMEOUT_MS = 60_000

/** Timeout in ms for the last chunk; slow storage needs more time to complete the file. */
const FINISH_MS = 10 * 60_000

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
    requested: REQUEST_NAMES[method],
    // A successful response without an offset must come from a proxy, so it counts as a 502.
    status: status < 400 ? 502 : status,
    detail: problem?.detail ?? null,
    retryAfterMs: retryAfterOf(xhr.getResponseHeader('retry-after')),
  })
}

function parsed(text: string): unknown {
  return text.trimStart().startsWith('{') ? (JSON.parse(text) as unknown) : undefined
}

/** Parses `Retry-After`, which contains seconds or a date. */
function retryAfterOf(said: string | null): number | null {
  if (said === null) return null
  const seconds = Number(said)
  const ms = Number.isNaN(seconds) ? Date.parse(said) - Date.now() : seconds * 1000
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
