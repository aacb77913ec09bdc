import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type S3Key, signatureError } from './s3-signature.ts'

/** An in-memory implementation of the S3 operations used by the server; it verifies every signature. */
export type S3Server = {
  readonly url: string
  readonly key: S3Key
  readonly bucket: string
  /** Stored objects by key. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** Stores an object directly, without a request. */
  readonly put: (key: string, bytes: Buffer) => void
  readonly remove: (key: string) => void
  /** Multipart uploads that haven't been completed. */
  readonly halves: ReadonlyMap<string, unknown>
  /** All requests as `METHOD key`, in order. */
  readonly requests: readonly string[]
  /** Simulates faults; by default, the server works normally. */
  readonly misbehave: (how: S3Fault | undefined) => void
  readonly stop: () => Promise<void>
}

/**
 * `refuse`: responds with 503; `fail`: responds with 500; `hang-up`: closes the connection; `silent`: doesn't respond
 * until changed; `cut`: closes the connection in the middle of a body; `stall`: stops sending in the middle of a body.
 */
export type S3Fault = (request: {
  readonly method: string
  readonly key: string
}) => 'refuse' | 'fail' | 'hang-up' | 'silent' | 'cut' | 'stall' | undefined

type Stored = { readonly bytes: Buffer; readonly at: Date }
type Half = { readonly key: string; readonly at: Date; readonly parts: Map<number, Buffer> }
type Store = { readonly bucket: string; readonly objects: Map<string, Stored>; readonly halves: Map<string, Half> }
type S3Request = {
  readonly method: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly broken: 'cut' | 'stall' | undefined
}
type Answer = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly broken?: 'cut' | 'stall' | undefined
}

const MIN_PART_BYTES = 5 * 1024 * 1024

/** Starts an S3 server with one bucket. */
export async function openS3Server({ port = 0 }: { readonly port?: number } = {}): Promise<S3Server> {
  const store: Store = { bucket: 'files', objects: new Map(), halves: new Map() }
  const key: S3Key = { id: 'test-key', secret: 'test/secret+of=a store' }
  const requests: string[] = []
  let misbehaviour: S3Fault | undefined
  let changed = Promise.withResolvers<void>()

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray())
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
    const [, bucket = '', ...rest] = decodeURIComponent(pathname).split('/')
    const [method = '', name] = [request.method, rest.join('/')]
    requests.push(`${method} ${name}`)
    const how = misbehaviour?.({ method, key: name })
    if (how === 'hang-up') return void request.socket.destroy()
    if (how === 'silent') await changed.promise
    const fault = how === 'refuse' ? 'SlowDown' : how === 'fail' ? 'InternalError' : signatureError(request, body, key)
    const broken = how === 'cut' || how === 'stall' ? how : undefined
    const question = { method, key: name, query: searchParams, headers: request.headers, body, broken }
    send(response, fault === undefined ? answerTo(store, bucket, question) : refusal(fault), method)
  }
  const server: Server = createServer((request, response) => {
    // Fails if the client has disconnected.
    serve(request, response).then(undefined, () => response.destroy())
  })
  // Lets the test process exit while the server is listening.
  server.listen(port, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port: listeningAt } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${listeningAt}`,
    key,
    bucket: store.bucket,
    get objects() {
      return new Map([...store.objects].map(([name, { bytes }]) => [name, bytes]))
    },
    put: (name, bytes) => void store.objects.set(name, { bytes, at: new Date() }),
    remove: (name) => void store.objects.delete(name),
    halves: store.halves,
    requests,
    misbehave: (how) => {
      misbehaviour = how
      changed.resolve()
      changed = Promise.withResolvers()
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const STATUS: Readonly<Record<string, number>> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  BadDigest: 400,
  InvalidPart: 400,
  EntityTooSmall: 400,
  MissingContentLength: 411,
  InvalidRange: 416,
  PreconditionFailed: 412,
  NotImplemented: 501,
  SlowDown: 503,
  InternalError: 500,
}

const refusal = (code: string): Answer => ({
  status: STATUS[code] ?? 403,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

function send(response: ServerResponse, { status, headers = {}, body = '', broken }: Answer, method: string): void {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, {
    'content-type': 'application/xml',
    ...length,
    ...headers,
    'x-amz-request-id': randomUUID(),
  })
  if (broken) response.write(body.slice(0, body.length / 2), () => void (broken === 'cut' && response.destroy()))
  else response.end(method === 'HEAD' ? undefined : body)
}

function answerTo(store: Store, bucket: string, request: S3Request): Answer {
  const { method, key, query } = request
  if (bucket !== store.bucket) return refusal('NoSuchBucket')
  if (key === '' && method === 'GET') return query.has('uploads') ? listHalves(store, query) : listObjects(store, query)
  switch (method) {
    case 'PUT':
      return query.has('partNumber') ? putPart(store, request) : putObject(store, request)
    case 'POST':
      return query.has('uploads') ? begin(store, key) : complete(store, request)
    case 'DELETE':
      return query.has('uploadId') ? abort(store, request) : remove(store, key)
    case 'GET':
    case 'HEAD':
      return read(store, request)
    default:
      return refusal('NotImplemented')
  }
}

const md5 = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest()
const tagOf = (bytes: Buffer): string => `"${md5(bytes).toString('hex')}"`

function bodyFault({ headers, body }: S3Request): string | undefined {
  if (headers['content-length'] === undefined) return 'MissingContentLength'
  const given = headers['content-md5']
  return given !== undefined && given !== md5(body).toString('base64') ? 'BadDigest' : undefined
}

function putObject(store: Store, request: S3Request): Answer {
  const fault = bodyFault(request)
  if (fault !== undefined) return refusal(fault)
  if (request.headers['if-none-match'] === '*' && store.objects.has(request.key)) return refusal('PreconditionFailed')
  store.objects.set(request.key, { bytes: request.body, at: new Date() })
  return { status: 200, headers: { etag: tagOf(request.body) } }
}

function begin(store: Store, key: string): Answer {
  const id = randomUUID()
  store.halves.set(id, { key, at: new Date(), parts: new Map() })
  return {
    status: 200,
    body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  }
}

const uploadOf = ({ halves }: Store, { query, key }: S3Request): Half | undefined => {
  const upload = halves.get(query.get('uploadId') ?? '')
  return upload?.key === key ? upload : undefined
}

function putPart(store: Store, request: S3Request): Answer {
  const upload = uploadOf(store, request)
  if (upload === undefined) return refusal('NoSuchUpload')
  const fault = bodyFault(request)
  if (fault !== undefined) return refusal(fault)
  upload.parts.set(Number(request.query.get('partNumber')), request.body)
  return { status: 200, headers: { etag: tagOf(request.body) } }
}

function complete(store: Store, request: S3Request): Answer {
  const upload = uploadOf(store, request)
  if (upload === undefined) return refusal('NoSuchUpload')
  const given = [...request.body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    tag: /<ETag>(?:&quot;|")?([0-9a-f]{32})/.exec(part)?.[1],
  }))
  const parts = given.map(({ number }) => upload.parts.get(number) ?? Buffer.alloc(0))
  if (parts.length === 0 || given.some(({ tag }, at) => `"${tag}"` !== tagOf(parts[at] ?? Buffer.alloc(0)))) {
    return refusal('InvalidPart')
  }
  if (parts.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) return refusal('EntityTooSmall')
  store.objects.set(request.key, { bytes: Buffer.concat(parts), at: new Date() })
  store.halves.delete(request.query.get('uploadId') ?? '')
  const tag = `${md5(Buffer.concat(parts.map(md5))).toString('hex')}-${parts.length}`
  return { status: 200, body: `<CompleteMultipartUploadResult><ETag>"${tag}"</ETag></CompleteMultipartUploadResult>` }
}

function abort(store: Store, request: S3Request): Answer {
  if (uploadOf(store, request) === undefined) return refusal('NoSuchUpload')
  store.halves.delete(request.query.get('uploadId') ?? '')
  return { status: 204 }
}

function remove({ objects }: Store, key: string): Answer {
  objects.delete(key)
  return { status: 204 }
}

function read({ objects }: Store, { key, headers, broken }: S3Request): Answer {
  const stored = objects.get(key)
  if (stored === undefined) return refusal('NoSuchKey')
  const { bytes, at } = stored
  const about = { etag: tagOf(bytes), 'last-modified': at.toUTCString(), 'content-type': 'application/octet-stream' }
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
  if (range === null) return { status: 200, headers: about, body: bytes, broken }
  const [start, end] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)]
  if (start > end) return refusal('InvalidRange')
  const given = { 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  return { status: 206, headers: { ...about, ...given }, body: bytes.subarray(start, end + 1), broken }
}

/** A small page size, so that listings have several pages. */
const PAGE = 3

function listObjects({ objects }: Store, query: URLSearchParams): Answer {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? '']
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
  const page = names.slice(0, PAGE)
  const items = page.map((name) => {
    const { bytes, at } = objects.get(name) ?? { bytes: Buffer.alloc(0), at: new Date() }
    return `<Contents><Key>${name}</Key><Size>${bytes.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
  })
  const isMore = names.length > page.length
  const more = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return {
    status: 200,
    body: `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${items.join('')}${more}</ListBucketResult>`,
  }
}

function listHalves({ halves }: Store, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? ''
  const items = [...halves]
    .filter(([, { key }]) => key.startsWith(prefix))
    .map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    )
  return {
    status: 200,
    body: `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${items.join('')}</ListMultipartUploadsResult>`,
  }
}
