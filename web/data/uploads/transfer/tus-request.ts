import { serverTranslator } from '#web/i18n/server-messages.ts'
import { renewSigned, signedHeaders } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { readProblem } from '#web/data/api/send-request.ts'
import type { SignedHeaders } from '#web/data/session/access-token.ts'
import type { SendFailure } from './upload-failure.ts'

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
