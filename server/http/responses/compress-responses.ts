import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Answers below this size fit one network packet as they are. */
const MIN_COMPRESSED_BYTES = 1400

/** Up to here it is done at once, in 0.1 ms: a thread would take longer to begin. */
const MAX_SYNC_BYTES = 64 * 1024

const OPTIONS = { level: constants.Z_BEST_SPEED }

const compressInThread = promisify(gzip)

/** Whether the client accepts gzip: named or `*`, and not with weight 0. */
export function acceptsGzip(header = ''): boolean {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight))
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

/**
 * Compresses answers that are texts: JSON and the page. Streams and bytes stay as they are: they may be part of a file,
 * so that their length and their mark (ETag) must stay true, and the files of the interface lie there compressed.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    if (typeof payload !== 'string') return payload
    const bytes = Buffer.byteLength(payload)
    if (bytes < MIN_COMPRESSED_BYTES || reply.hasHeader('content-encoding')) return payload
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    if (!acceptsGzip(headers['accept-encoding'])) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return bytes > MAX_SYNC_BYTES ? compressInThread(payload, OPTIONS) : gzipSync(payload, OPTIONS)
  })
}
