import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'

/** File upload or download request. */
export type Transfer = {
  readonly port: number
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'GET'
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  /** Body chunks, sent with backpressure. */
  readonly body?: Iterable<Buffer>
}

/** Response headers and body size; the body is discarded. */
export type TransferResult = { readonly headers: IncomingMessage['headers']; readonly bytes: number }

const PART_BYTES = 1_000_000

/** Content of a test file; each number produces different bytes. */
export function* partsOf(file: number, from: number, to: number): Generator<Buffer> {
  const part = Buffer.alloc(PART_BYTES, `file ${file}, `)
  for (let at = from; at < to; at += PART_BYTES) yield part.subarray(0, Math.min(PART_BYTES, to - at))
}

async function send(asking: ClientRequest, body: Iterable<Buffer>): Promise<void> {
  for (const part of body) if (!asking.write(part)) await once(asking, 'drain')
  asking.end()
}

/** Throws if the request fails. */
export async function transfer({ port, method, path, headers, body = [] }: Transfer): Promise<TransferResult> {
  const asking = request({ host: '127.0.0.1', port, method, path, headers })
  const answered = once(asking, 'response')
  const [[answer]] = (await Promise.all([answered, send(asking, body)])) as [[IncomingMessage], void]
  let bytes = 0
  // The stream has no encoding set, so chunks are buffers.
  for await (const part of answer as AsyncIterable<Buffer>) bytes += part.length
  const { statusCode = 0 } = answer
  if (statusCode >= 300) throw new Error(`${method} ${path} was answered ${statusCode}.`)
  return { headers: answer.headers, bytes }
}
