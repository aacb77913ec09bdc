import type { Method } from '#api/endpoint.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'
import { CallError, type FailureCode, isProblemCode } from './call-error.ts'
import { connectionState, VERSION_HEADER, versionState } from '#web/data/connection/connection-state.ts'


/** Waits so long, in ms; sooner over when the signal says so. */
type Delay = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Waits by the clock of the browser. */
export const abortableDelay: Delay = (ms, signal) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })

/** One request as it goes over the wire. */
export type HttpRequest = {
  readonly method: Method
  /** Path and query. */
  readonly path: string
  /** A value becomes JSON; a blob goes as it is. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean
  /** `blob` hands the raw answer over. */
  readonly answer: 'json' | 'empty' | 'blob'
}

/** What came of it. Failures are values here, because who asks decides which of them it can mend. */
export type RequestResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly failure: CallError }

/** Sends one request and reads one answer. */
export type SendRequest = (wire: HttpRequest) => Promise<RequestResult>

/** Time after which the server counts as unreachable; uploads have no such limit. */
const TIMEOUT_MS = 60_000

const UNREACHABLE = t('No data was lost. Check your connection and try again.')
const UNREADABLE = t('The server’s response wasn’t recognized. Reload the page and try again.')

/** Statuses a proxy gives when the server behind it is away. */
const GATEWAY_STATUSES = [502, 503, 504]

const fail = (failure: CallError): RequestResult => ({ ok: false, failure })

function requestOf({ method, body, headers, signal, keepalive }: HttpRequest): RequestInit {
  const isBlob = body instanceof Blob
  const timeout = isBlob ? [] : [AbortSignal.timeout(TIMEOUT_MS)]
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && !isBlob && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isBlob ? body : JSON.stringify(body) }),
    signal: AbortSignal.any([...(signal ? [signal] : []), ...timeout]),
    ...(keepalive === true && { keepalive }),
    cache: 'no-store',
  }
}

type ProblemShape = { readonly [member: string]: unknown }

const isObject = (value: unknown): value is ProblemShape => typeof value === 'object' && value !== null

/** The list was shaped by the server after the same schema (`api/endpoint.ts`). */
const partsOf = (errors: unknown): CallError['errors'] => (Array.isArray(errors) ? (errors as CallError['errors']) : [])

/**
 * The records that a refusal of many names each have a sentence of their own, so shaped by the server (`api/bulk.ts`).
 */
function describeExtra(extra: ProblemShape, say: (text: string) => string): ProblemShape {
  const { refused: named } = extra
  if (!Array.isArray(named)) return extra
  const refusals = named as readonly { readonly message: string }[]
  return { ...extra, refused: refusals.map((refusal) => ({ ...refusal, message: say(refusal.message) })) }
}

/** Parses the problem of a failed request, translated by `say`; undefined for other bodies. */
export function readProblem(
  body: unknown,
  status: number,
  retryAfter: string | null = null,
  say = (text: string): string => text,
): CallError | undefined {
  if (!isObject(body)) return undefined
  const { code, title, status: _status, detail, errors, requestId, type: _type, ...extra } = body
  if (typeof code !== 'string' || !isProblemCode(code)) return undefined
  const seconds = Number(retryAfter)
  const said = typeof detail === 'string' && detail !== '' ? detail : title
  return new CallError(code, typeof said === 'string' ? say(said) : UNREADABLE, {
    status,
    errors: partsOf(errors).map((part) => ({ ...part, message: say(part.message) })),
    extra: describeExtra(extra, say),
    ...(typeof requestId === 'string' && { requestId }),
    ...(retryAfter !== null && Number.isFinite(seconds) && { retryAfterSeconds: seconds }),
  })
}

async function rejectedResult(response: Response): Promise<RequestResult> {
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json') === true
  const [body, say] = isJson ? await Promise.all([response.json(), serverTranslator()]) : []
  const problem = readProblem(body, status, headers.get('retry-after'), say)
  if (problem) {
    connectionState.reached()
    return fail(problem)
  }
  if (!GATEWAY_STATUSES.includes(status)) return fail(new CallError('unreadable-answer', UNREADABLE, { status }))
  connectionState.lost()
  return fail(new CallError('unreachable', UNREACHABLE, { status }))
}

async function acceptedResult(response: Response, answer: HttpRequest['answer']): Promise<RequestResult> {
  connectionState.reached()
  if (answer === 'blob') return { ok: true, body: await response.blob() }
  if (answer === 'empty' || response.status === 204) return { ok: true, body: undefined }
  const isJson = response.headers.get('content-type')?.includes('json') === true
  if (!isJson) return fail(new CallError('unreadable-answer', UNREADABLE, { status: response.status }))
  return { ok: true, body: await response.json() }
}

/** The browser's own way of sending; every failure of the network becomes one of our words here. */
const sendOnce: SendRequest = async (wire) => {
  try {
    const response = await fetch(wire.path, requestOf(wire))
    versionState.heard(response.headers.get(VERSION_HEADER))
    return response.ok ? await acceptedResult(response, wire.answer) : await rejectedResult(response)
  } catch {
    if (wire.signal?.aborted === true) return fail(new CallError('aborted', t('Request canceled.')))
    connectionState.lost()
    return fail(new CallError('unreachable', UNREACHABLE))
  }
}

/** Refusals at the door: nothing of the request was looked at, so whatever it is, it may be sent again. */
const RATE_LIMIT_STATUSES: readonly FailureCode[] = ['too-many-at-once', 'overloaded']

/** After this many attempts the error is shown. */
const MAX_ATTEMPTS = 3

/** Up to so much longer than the server asks for, in ms: not all that were refused together come back together. */
const JITTER_MS = 1000

/**
 * How long to wait before a request is sent again that was refused for having too much to do, in ms; undefined: it is
 * not.
 */
export function retryDelayMs({ code, retryAfterSeconds }: CallError, times: number): number | undefined {
  if (times >= MAX_ATTEMPTS || !RATE_LIMIT_STATUSES.includes(code) || retryAfterSeconds === undefined) return undefined
  return retryAfterSeconds * 1000 + Math.random() * JITTER_MS
}

/**
 * Sends, and comes back as often as it makes sense where the server says that it has too much to do and when to try
 * again.
 */
export const sendWithRetries =
  (send: SendRequest, wait: Delay): SendRequest =>
  async (wire) => {
    for (let times = 0; ; times += 1) {
      const exchanged = await send(wire)
      if (exchanged.ok) return exchanged
      const waitMs = retryDelayMs(exchanged.failure, times)
      if (waitMs === undefined) return exchanged
      await wait(waitMs, wire.signal)
    }
  }

/** `fetch` with retries. */
export const sendRequest: SendRequest = sendWithRetries(sendOnce, abortableDelay)

/** What a script of another site cannot send along unasked; the refresh cookie counts only together with it. */
export const CSRF_HEADER = { 'x-requested-with': 'dossier' } as const

/** The user the page shows, so that the server never answers as another one. */
export const EXPECTED_USER = 'x-dossier-user'

/** Requests to read as an impersonated user. */
export const VIEW_AS = 'view-as'
