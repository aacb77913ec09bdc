import type { Endpoint } from '#api/endpoint.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'
import { buildUrl, renewSigned, signedHeaders } from './call.ts'
import { CallError } from './call-error.ts'
import { retryDelayMs, readProblem } from './send-request.ts'
import type { SignedHeaders } from '#web/data/session/access-token.ts'
import { abortableDelay } from '#web/data/connection/abortable-delay.ts'

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
 * Sends a file in one request and tells how far it is, which `fetch` cannot; answers the parsed body. A file can be read
 * twice, so a token that was refused is renewed and the file sent once more; to a server that has too much to do it is
 * sent again when that says so.
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
