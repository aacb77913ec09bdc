import type { Method } from '#api/endpoint.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'
import { CallError, type FailureCode, isProblemCode } from './call-error.ts'
import { connectionState, VERSION_HEADER, versionState } from '#web/data/connection/connection-state.ts'

type Delay = (ms: number, signal: AbortSignal | undefined) => Promise<void>

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

export type HttpRequest = {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
  /** Lets the request continue after the page is closed. */
  readonly keepalive?: boolean
  readonly answer: 'json' | 'empty' | 'blob'
}

/** Failures are returned as values, because callers can recover from some of them. */
export type RequestResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly failure: CallError }

export type SendRequest = (wire: HttpRequest) => Promise<RequestResult>

/** Timeout in ms after which the server is considered unreachable; uploads have no timeout. */
const TIMEOUT_MS = 60_000

const UNREACHABLE = t('No data was lost. Check your connection and try again.')
const UNREADABLE = t('The server’s response wasn’t recognized. Reload the page and try again.')

/** Statuses that a proxy returns while its server is down. */
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

/** The server serializes errors with the same schema (`api/endpoint.ts`). */
const partsOf = (errors: unknown): CallError['errors'] => (Array.isArray(errors) ? (errors as CallError['errors']) : [])

/** Translates the messages of rejected records, which the server serializes with the schema in `api/bulk.ts`. */
function describeExtra(extra: ProblemShape, say: (text: string) => string): ProblemShape {
  const { refused: named } = extra
  if (!Array.isArray(named)) return extra
  const refusals = named as readonly { readonly message: string }[]
  return { ...extra, refused: refusals.map((refusal) => ({ ...refusal, message: say(refusal.message) })) }
}

/** Parses the problem in an error response and translates it with `say`; returns undefined for other bodies. */
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

const sendOnce: SendRequest = async (wire) => {
  try {
    const response = await fetch(wire.path, requestOf(wire))
    versionState.onVersion(response.headers.get(VERSION_HEADER))
    return response.ok ? await acceptedResult(response, wire.answer) : await rejectedResult(response)
  } catch {
    if (wire.signal?.aborted === true) return fail(new CallError('aborted', t('Request canceled.')))
    connectionState.lost()
    return fail(new CallError('unreachable', UNREACHABLE))
  }
}

/** Statuses for requests rejected without being processed, so retrying is always safe. */
const RATE_LIMIT_STATUSES: readonly FailureCode[] = ['too-many-at-once', 'overloaded']

const MAX_ATTEMPTS = 3

/** Maximum jitter in ms, so that requests rejected together aren't retried together. */
const JITTER_MS = 1000

/** Delay in ms before retrying a request that an overloaded server rejected; undefined if it must not be retried. */
export function retryDelayMs({ code, retryAfterSeconds }: CallError, times: number): number | undefined {
  if (times >= MAX_ATTEMPTS || !RATE_LIMIT_STATUSES.includes(code) || retryAfterSeconds === undefined) return undefined
  return retryAfterSeconds * 1000 + Math.random() * JITTER_MS
}

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

export const sendRequest: SendRequest = sendWithRetries(sendOnce, abortableDelay)

/** Every response contains the server version. */
export const checkVersion = () => sendRequest({ method: 'GET', path: '/api/health', answer: 'json' })

/** Other sites can't set this header; the server accepts the refresh cookie only if it is present. */
export const CSRF_HEADER = { 'x-requested-with': 'dossier' } as const

/** Header with the user shown on the page, so that the server rejects requests if another user is signed in. */
export const EXPECTED_USER = 'x-dossier-user'

export const VIEW_AS = 'view-as'
