import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { RawResponse } from './operations.ts'

/** A raw request, valid or not. */
export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

/** Time limit for a response. */
const SILENCE_MS = 20_000

/** Sends raw requests over persistent connections. */
export function openRawConnection(url: string) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const send = ({ method, path, headers, body }: Sent): Promise<RawResponse | string> =>
    new Promise((resolve) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const all = { ...headers, ...length }
      const asking = request({ agent, hostname, port, method, path, headers: all, timeout: SILENCE_MS })
      asking.on('timeout', () => asking.destroy(new Error('no response')))
      asking.on('error', (error) => resolve(error.message))
      asking.on('upgrade', (_answer, socket) => {
        socket.destroy()
        resolve('the connection was upgraded')
      })
      asking.on('response', (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', (error) => resolve(error.message))
        answer.on('end', () => {
          const [type = ''] = (answer.headers['content-type'] ?? '').split(';', 1)
          const text = unpacked(answer, Buffer.concat(parts)).toString('utf8')
          resolve({ status: answer.statusCode ?? 0, type, headers: answer.headers, text })
        })
      })
      asking.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** Decodes compressed content, because the request accepts it. */
function unpacked({ headers }: IncomingMessage, body: Buffer): Buffer {
  if (body.length === 0) return body
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body)
  if (headers['content-encoding'] === 'zstd') return zstdDecompressSync(body)
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body
}

export type RawConnection = ReturnType<typeof openRawConnection>
