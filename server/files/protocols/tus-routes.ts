import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as api from '#api/uploads.ts'
import { Problem } from '#domain/shared/problem.ts'
import { DEFAULT_MAX_BYTES, type Upload } from '#domain/uploads/upload.ts'
import {
  CHECKSUM_ALGORITHMS,
  type UploadMetadata,
  printUploadMetadata,
  readChecksum,
  readUploadMetadata,
} from '#domain/uploads/tus-headers.ts'
import { open, signedIn, signedInWithoutImpersonation } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { createUpload } from '#server/files/uploads/create-upload.ts'
import { cancelUpload, inspectUpload } from '#server/files/uploads/find-upload.ts'
import { type IncomingChunk, receiveChunk } from '#server/files/uploads/receive-chunk.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** Longer numbers can't be represented exactly as a double. */
const BYTES = /^\d{1,15}$/

/** Parses a byte count; undefined if the header is missing. */
export function bytesHeader(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[name]
  if (text === undefined) return undefined
  if (typeof text === 'string' && BYTES.test(text)) return Number(text)
  throw new Problem('invalid-upload', `The ${name} header must be a whole number of bytes.`)
}

export function neededBytesHeader(headers: IncomingHttpHeaders, name: string): number {
  const bytes = bytesHeader(headers, name)
  if (bytes === undefined) throw new Problem('invalid-upload', `The ${name} header is missing.`)
  return bytes
}

/** FilePond sends raw UTF-8 bytes in headers, which Node decodes as Latin-1. */
export function utf8Header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const text = headers[name]
  return typeof text === 'string' ? Buffer.from(text, 'latin1').toString('utf8') : undefined
}

const VERSION = '1.0.0'

const EXTENSIONS = 'creation,creation-with-upload,checksum,expiration,termination'

const CHUNK_TYPE = 'application/offset+octet-stream'

const tusPath = (id: string): string => `${api.tusCreate.path}/${id}`

/** Adds the tus version header, including to errors, and rejects other versions. */
function assertTusVersion(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('tus-resumable', VERSION)
  if (request.headers['tus-resumable'] === VERSION) return
  reply.header('tus-version', VERSION)
  throw new Problem('upload-version-unknown', `Send the header Tus-Resumable: ${VERSION}, the supported version.`)
}

/** Unsupported tus extensions, with the alternative for each. */
const UNSUPPORTED_HEADERS: { readonly [header: string]: string } = {
  'upload-defer-length': 'The file size must be known when the upload starts. Send Upload-Length.',
  'upload-concat': 'Concatenation isn’t supported. Send the file as one upload, chunk by chunk.',
}

function assertSupportedHeaders({ headers }: FastifyRequest): void {
  for (const [header, way] of Object.entries(UNSUPPORTED_HEADERS)) {
    if (headers[header] !== undefined) throw new Problem('invalid-upload', way)
  }
}

/** Without a checksum, bytes received before an interruption are kept. */
function chunkIn({ headers }: FastifyRequest, body: Readable, offset: number): IncomingChunk {
  const sum = headers['upload-checksum']
  const checksum = typeof sum === 'string' ? readChecksum(sum) : undefined
  if (checksum?.ok === false) throw new Problem('invalid-upload', checksum.fault)
  const bytes = bytesHeader(headers, 'content-length')
  const fileBytes = bytesHeader(headers, 'upload-length')
  return { offset, bytes, fileBytes, rule: 'exact', keepsPart: true, checksum: checksum?.value, body }
}

const isChunk = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';', 1)[0]?.trim() === CHUNK_TYPE

const expiryOf = ({ state, expiresAt }: Upload): { readonly [header: string]: string } =>
  state === 'open' ? { 'upload-expires': new Date(expiresAt).toUTCString() } : {}

function metadataOf({ headers }: FastifyRequest): UploadMetadata {
  const header = headers['upload-metadata']
  const read = readUploadMetadata(typeof header === 'string' ? header : '', (text) =>
    Buffer.from(text, 'base64').toString('utf8'),
  )
  if (!read.ok) throw new Problem('invalid-upload', read.fault)
  return read.value
}

const printMetadata = ({ file }: Upload): string =>
  printUploadMetadata({ filename: file.name, filetype: file.type }, (text) => Buffer.from(text).toString('base64'))

const createRoute = (deps: UploadDeps): Route =>
  route(api.tusCreate, signedIn, async ({ actor, query, body, request, reply }) => {
    assertTusVersion(request, reply)
    assertSupportedHeaders(request)
    const bytes = neededBytesHeader(request.headers, 'upload-length')
    const said = metadataOf(request)
    const target = {
      collection: query.collection ?? said['collection'],
      field: query.field ?? said['field'],
      record: (query.record ?? said['record']) || null,
    }
    const file = { name: said['filename'] ?? said['name'] ?? '', type: said['filetype'] ?? said['type'] ?? '', bytes }
    const created = await createUpload(deps, actor, target, file)
    reply.header('location', tusPath(created.id))
    const upload =
      isChunk(request) && created.state === 'open'
        ? await receiveChunk(deps, actor, created.id, chunkIn(request, body, 0))
        : created
    await reply
      .code(201)
      .headers({ 'upload-offset': String(upload.committed), ...expiryOf(upload) })
      .send()
  })

const patchRoute = (deps: UploadDeps): Route =>
  route(api.tusPatch, signedIn, async ({ actor, params, body, request, reply }) => {
    assertTusVersion(request, reply)
    if (!isChunk(request)) {
      throw new Problem('wrong-content-type', `Set Content-Type to ${CHUNK_TYPE}.`)
    }
    const offset = neededBytesHeader(request.headers, 'upload-offset')
    const upload = await receiveChunk(deps, actor, params.upload, chunkIn(request, body, offset))
    await reply
      .code(204)
      .headers({ 'upload-offset': String(upload.committed), ...expiryOf(upload) })
      .send()
  })

/** Default delay before the client requests the offset again. */
const RETRY_AFTER_SECONDS = 2

/** tus clients restart the upload on any HEAD error except 423 (Locked). */
function asLocked(problem: Problem): Problem {
  if (problem.status < 500 && problem.status !== 429) return problem
  const { retryAfterSeconds = RETRY_AFTER_SECONDS } = problem.details
  return new Problem('upload-held-up', problem.message, { retryAfterSeconds })
}

const headRoute = (deps: UploadDeps): Route =>
  route(
    api.tusHead,
    signedInWithoutImpersonation,
    async ({ actor, params, request, reply }) => {
      assertTusVersion(request, reply)
      const upload = await inspectUpload(deps, actor, params.upload)
      await reply
        .code(200)
        .headers({
          'upload-offset': String(upload.committed),
          'upload-length': String(upload.file.bytes),
          'upload-metadata': printMetadata(upload),
          'cache-control': 'no-store',
          ...expiryOf(upload),
        })
        .send()
    },
    asLocked,
  )

/** tus 1.0: uploads can resume at any byte. */
export const tusRoutes = (deps: UploadDeps): readonly Route[] => [
  route(api.tusOptions, open('protocol capabilities are public'), async ({ reply }) => {
    await reply
      .code(204)
      .headers({
        'tus-resumable': VERSION,
        'tus-version': VERSION,
        'tus-extension': EXTENSIONS,
        'tus-max-size': String(DEFAULT_MAX_BYTES),
        'tus-checksum-algorithm': CHECKSUM_ALGORITHMS.join(','),
      })
      .send()
  }),
  createRoute(deps),
  headRoute(deps),
  patchRoute(deps),
  route(api.tusDelete, signedIn, async ({ actor, params, request, reply }) => {
    assertTusVersion(request, reply)
    await cancelUpload(deps, actor, params.upload)
  }),
]
