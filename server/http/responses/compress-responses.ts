import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Smaller responses fit one network packet uncompressed. */
const MIN_COMPRESSED_BYTES = 1400

/** Compressed synchronously in 0.1 ms; starting a thread takes longer. */
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
 * Compresses JSON and the page. Streams and files stay as they are, because length and ETag must match; static files
 * are precompressed.
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
