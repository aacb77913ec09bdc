import type { Endpoint } from '#api/endpoint.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'
import { buildUrl, renewSigned, signedHeaders } from './call.ts'
import { CallError } from './call-error.ts'
import { abortableDelay, readProblem, retryDelayMs } from './send-request.ts'
import type { SignedHeaders } from '#web/data/session/access-token.ts'

type SendFile = {
  readonly query: { readonly [name: string]: string }
  readonly file: Blob
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

type Sent = { readonly status: number; readonly body: unknown; readonly retryAfter: string | null }

const NETWORK_ERROR = t('Upload failed. Nothing was changed. Check your connection and try again.')

function readJson(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

function sendOnce(endpoint: Endpoint, { query, file, onProgress, signal }: SendFile, headers: SignedHeaders) {
  return new Promise<Sent>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, buildUrl(endpoint, { query }))
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('error', () => reject(new CallError('unreachable', NETWORK_ERROR)))
    request.addEventListener('abort', () => reject(new CallError('aborted', t('Upload canceled.'))))
    request.addEventListener('load', () => {
      const isJson = request.getResponseHeader('content-type')?.includes('json') === true
      const body = isJson ? readJson(request.responseText) : undefined
      resolve({ status: request.status, body, retryAfter: request.getResponseHeader('retry-after') })
    })
    if (signal.aborted) return reject(new CallError('aborted', t('Upload canceled.')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/**
 * Uploads a file in one request and returns the parsed body; reports progress, which `fetch` can't. The file is sent
 * again after a rejected token was refreshed, and after `Retry-After` if the server is overloaded.
 */
export async function sendFile(endpoint: Endpoint, sending: SendFile): Promise<unknown> {
  for (let times = 0; ; times += 1) {
    const { status, body, retryAfter } = await sendSigned(endpoint, sending)
    if (status < 400 && body !== undefined) return body
    const failure = readProblem(body, status, retryAfter, await serverTranslator())
    const waitMs = failure && retryDelayMs(failure, times)
    if (waitMs === undefined) throw failure ?? new CallError('unreachable', NETWORK_ERROR)
    await abortableDelay(waitMs, sending.signal)
  }
}

async function sendSigned(endpoint: Endpoint, sending: SendFile): Promise<Sent> {
  const headers = await signedHeaders()
  const first = await sendOnce(endpoint, sending, headers)
  const isRenewed = first.status === 401 && (await renewSigned(headers))
  return isRenewed ? sendOnce(endpoint, sending, await signedHeaders()) : first
}

type FileError = 'gone' | 'lapsed' | 'unreachable'

type FileStart = { readonly bytes: Uint8Array; readonly isCut: boolean }

const NOT_FOUND = 404
const RANGE_NOT_SATISFIABLE = 416
const PARTIAL_CONTENT = 206

/** Statuses for expired URLs; retrying with a new URL may succeed. */
const EXPIRED_STATUSES: readonly number[] = [401, 403, 409]

/** Requests a signed URL, authenticated by the cookie instead of the token. */
async function fetchFile(address: string, init: RequestInit): Promise<Response | FileError> {
  const answer = await fetch(address, { credentials: 'same-origin', ...init }).then(
    (found) => found,
    () => undefined,
  )
  if (answer === undefined) return 'unreachable'
  if (answer.ok || answer.status === RANGE_NOT_SATISFIABLE) return answer
  if (answer.status === NOT_FOUND) return 'gone'
  return EXPIRED_STATUSES.includes(answer.status) ? 'lapsed' : 'unreachable'
}

export async function checkFile(address: string, signal: AbortSignal): Promise<FileError | undefined> {
  const answer = await fetchFile(address, { method: 'HEAD', cache: 'no-store', signal })
  return typeof answer === 'string' ? answer : undefined
}

export async function readFileStart(
  address: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FileStart | FileError> {
  const answer = await fetchFile(address, { headers: { range: `bytes=0-${maxBytes - 1}` }, signal })
  if (typeof answer === 'string') return answer
  // Range requests fail for empty files.
  if (answer.status === RANGE_NOT_SATISFIABLE) return { bytes: new Uint8Array(), isCut: false }
  const body = await answer.arrayBuffer().then(
    (read) => new Uint8Array(read),
    () => undefined,
  )
  if (body === undefined) return 'unreachable'
  const whole =
    answer.status === PARTIAL_CONTENT ? Number(answer.headers.get('content-range')?.split('/')[1]) : body.length
  return { bytes: body.subarray(0, maxBytes), isCut: whole > maxBytes }
}
