import type { Endpoint } from '#api/endpoint.ts'
import { serverWords } from '#web/language/of-the-server.ts'
import { t } from '#web/language/t.ts'
import { addressOf, renewSigned, signedHeaders } from './call.ts'
import { CallFailed } from './call-failed.ts'
import { readProblem } from './exchange.ts'
import type { SignedHeaders } from './held-token.ts'

type SendFile = {
  readonly query: { readonly [name: string]: string }
  readonly file: Blob
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

type Sent = { readonly status: number; readonly body: unknown; readonly retryAfter: string | null }

const BROKEN_OFF = t('The file did not get through. Nothing was changed; check your connection and try again.')

function readJson(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

function sendOnce(endpoint: Endpoint, { query, file, onProgress, signal }: SendFile, headers: SignedHeaders) {
  return new Promise<Sent>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, addressOf(endpoint, { query }))
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('error', () => reject(new CallFailed('unreachable', BROKEN_OFF)))
    request.addEventListener('abort', () => reject(new CallFailed('aborted', t('The upload was cancelled.'))))
    request.addEventListener('load', () => {
      const isJson = request.getResponseHeader('content-type')?.includes('json') === true
      const body = isJson ? readJson(request.responseText) : undefined
      resolve({ status: request.status, body, retryAfter: request.getResponseHeader('retry-after') })
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/**
 * Sends a file in one request and tells how far it is, which `fetch` cannot; answers the parsed body. A file can be read
 * twice, so a token that was refused is renewed and the file sent once more.
 */
export async function sendFile(endpoint: Endpoint, sending: SendFile): Promise<unknown> {
  const headers = await signedHeaders()
  const first = await sendOnce(endpoint, sending, headers)
  const isRenewed = first.status === 401 && (await renewSigned(headers))
  const { status, body, retryAfter } = isRenewed ? await sendOnce(endpoint, sending, await signedHeaders()) : first
  if (status < 400 && body !== undefined) return body
  throw readProblem(body, status, retryAfter, await serverWords()) ?? new CallFailed('unreachable', BROKEN_OFF)
}
