import type { Endpoint } from '#api/endpoint.ts'
import { addressOf, freshToken } from './call.ts'
import { CallFailed } from './call-failed.ts'
import { readProblem } from './exchange.ts'

type SendFile = {
  readonly query: { readonly [name: string]: string }
  readonly file: Blob
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

const BROKEN_OFF = 'The file did not get through. Nothing was changed; check your connection and try again.'

function readJson(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** Sends a file in one request and tells how far it is, which `fetch` cannot; answers the parsed body. */
export async function sendFile(endpoint: Endpoint, { query, file, onProgress, signal }: SendFile) {
  const token = await freshToken()
  return new Promise<unknown>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, addressOf(endpoint, { query }))
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('error', () => reject(new CallFailed('unreachable', BROKEN_OFF)))
    request.addEventListener('abort', () => reject(new CallFailed('aborted', 'The upload was cancelled.')))
    request.addEventListener('load', () => {
      const isJson = request.getResponseHeader('content-type')?.includes('json') === true
      const body = isJson ? readJson(request.responseText) : undefined
      if (request.status < 400 && body !== undefined) return resolve(body)
      const retryAfter = request.getResponseHeader('retry-after')
      reject(readProblem(body, request.status, retryAfter) ?? new CallFailed('unreachable', BROKEN_OFF))
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
