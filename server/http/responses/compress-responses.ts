import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Smaller responses fit in one network packet even uncompressed. */
const MIN_COMPRESSED_BYTES = 1400

/** Smaller responses are compressed synchronously in 0.1 ms; starting a thread takes longer. */
const MAX_SYNC_BYTES = 64 * 1024

const FAST_GZIP = { level: constants.Z_BEST_SPEED }

const gzipInThread = promisify(gzip)
const zstdInThread = promisify(zstdCompress)

/** Ordered by preference. Zstandard needs half the CPU time of the fastest gzip and saves another 12 % of the bytes. */
const COMPRESSORS = {
  zstd: {
    now: (text: string) => zstdCompressSync(text),
    inThread: (text: string) => zstdInThread(text),
    stream: () => createZstdCompress(),
  },
  gzip: {
    now: (text: string) => gzipSync(text, FAST_GZIP),
    inThread: (text: string) => gzipInThread(text, FAST_GZIP),
    stream: () => createGzip(FAST_GZIP),
  },
}

/** The weight of each encoding in an `Accept-Encoding` header. */
function encodingWeights(header = ''): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight))
  }
  return weights
}

/** `*` selects gzip, because clients that send it rarely support Zstandard. */
const gzipWeight = (weights: ReadonlyMap<string, number>): number => weights.get('gzip') ?? weights.get('*') ?? 0

/** Whether the client accepts gzip, by name or `*`, with a weight above 0. */
export const acceptsGzip = (header: string | undefined): boolean => gzipWeight(encodingWeights(header)) > 0

/** The accepted encoding with the highest weight; undefined if none is accepted. */
function preferredEncoding(header: string | undefined): keyof typeof COMPRESSORS | undefined {
  const weights = encodingWeights(header)
  const zstd = weights.get('zstd') ?? 0
  const zipped = gzipWeight(weights)
  const plain = weights.get('identity') ?? 0
  if (zstd > 0 && zstd >= plain && !(zipped > zstd)) return 'zstd'
  return zipped > 0 && zipped >= plain ? 'gzip' : undefined
}

/**
 * Matches exports, whose length isn't known. Files have a length and an ETag, and many formats are already compressed.
 */
function isTextStream(reply: FastifyReply, payload: unknown): payload is Readable {
  const isCsv = String(reply.getHeader('content-type')).startsWith('text/csv')
  return payload instanceof Readable && isCsv && !reply.hasHeader('content-length') && !reply.hasHeader('etag')
}

/** Compresses JSON, the HTML page and exports; static files are precompressed. */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    const bytes = typeof payload === 'string' ? Buffer.byteLength(payload) : 0
    const isStream = isTextStream(reply, payload)
    if (reply.hasHeader('content-encoding') || (!isStream && bytes < MIN_COMPRESSED_BYTES)) return payload
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    const encoding = preferredEncoding(headers['accept-encoding'])
    if (!encoding) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    const { now, inThread, stream } = COMPRESSORS[encoding]
    if (typeof payload === 'string') return bytes > MAX_SYNC_BYTES ? inThread(payload) : now(payload)
    // An error aborts the response, and a disconnect stops the export.
    return isStream ? pipeline(payload, stream(), () => {}) : payload
  })
}
