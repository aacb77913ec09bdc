import type { FastifyReply, FastifyRequest } from 'fastify'
import * as api from '#api/uploads.ts'
import { Problem } from '#domain/shared/problem.ts'
import { DEFAULT_MAX_BYTES, type Upload } from '#domain/uploads/upload.ts'
import { printUploadMetadata, readUploadMetadata, type UploadMetadata } from '#domain/uploads/upload-metadata.ts'
import { open, signedIn, signedInUnseen } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { createUpload } from './create-upload.ts'
import { inspectUpload } from './find-upload.ts'
import { giveUpUpload } from './give-up-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { bytesHeader, neededBytesHeader } from './request-headers.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** The one version of tus we speak. */
const VERSION = '1.0.0'

const EXTENSIONS = 'creation,creation-with-upload,expiration,termination'

/** The type of a body that is bytes of a file. */
const CHUNK_TYPE = 'application/offset+octet-stream'

const tusPath = (id: string): string => `${api.tusCreate.path}/${id}`

/** Marks the answer as tus, also when it becomes a refusal, and refuses a version we do not speak. */
function speakTus(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('tus-resumable', VERSION)
  if (request.headers['tus-resumable'] === VERSION) return
  reply.header('tus-version', VERSION)
  throw new Problem('upload-version-unknown', `Send the header Tus-Resumable: ${VERSION}, the version spoken here.`)
}

const isChunk = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';', 1)[0]?.trim() === CHUNK_TYPE

/** When an unfinished upload dies, as tus says it. */
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

const createRoute = (needs: UploadNeeds): Route =>
  route(api.tusCreate, signedIn, async ({ actor, query, body, request, reply }) => {
    speakTus(request, reply)
    if (request.headers['upload-defer-length'] !== undefined) {
      throw new Problem('invalid-upload', 'The size of a file must be known at the beginning: send Upload-Length.')
    }
    const bytes = neededBytesHeader(request.headers, 'upload-length')
    const said = metadataOf(request)
    const target = {
      collection: query.collection ?? said['collection'],
      field: query.field ?? said['field'],
      record: (query.record ?? said['record']) || null,
    }
    const file = { name: said['filename'] ?? said['name'] ?? '', type: said['filetype'] ?? said['type'] ?? '', bytes }
    const created = await createUpload(needs, actor, target, file)
    reply.header('location', tusPath(created.id))
    const upload =
      isChunk(request) && created.state === 'open'
        ? await receiveChunk(needs, actor, created.id, {
            offset: 0,
            bytes: bytesHeader(request.headers, 'content-length'),
            rule: 'exact',
            keepsPart: true,
            body,
          })
        : created
    await reply
      .code(201)
      .headers({ 'upload-offset': String(upload.committed), ...expiryOf(upload) })
      .send()
  })

const patchRoute = (needs: UploadNeeds): Route =>
  route(api.tusPatch, signedIn, async ({ actor, params, body, request, reply }) => {
    speakTus(request, reply)
    if (!isChunk(request)) {
      throw new Problem('wrong-content-type', `Send the bytes as ${CHUNK_TYPE}.`)
    }
    const upload = await receiveChunk(needs, actor, params.upload, {
      offset: neededBytesHeader(request.headers, 'upload-offset'),
      bytes: bytesHeader(request.headers, 'content-length'),
      rule: 'exact',
      keepsPart: true,
      body,
    })
    await reply
      .code(204)
      .headers({ 'upload-offset': String(upload.committed), ...expiryOf(upload) })
      .send()
  })

/** The HTTP door of uploads for tus 1.0: resumable to the byte. */
export const tusRoutes = (needs: UploadNeeds): readonly Route[] => [
  route(api.tusOptions, open('what is spoken here is no secret'), async ({ reply }) => {
    await reply
      .code(204)
      .headers({
        'tus-resumable': VERSION,
        'tus-version': VERSION,
        'tus-extension': EXTENSIONS,
        'tus-max-size': String(DEFAULT_MAX_BYTES),
      })
      .send()
  }),
  createRoute(needs),
  route(api.tusHead, signedInUnseen, async ({ actor, params, request, reply }) => {
    speakTus(request, reply)
    const upload = await inspectUpload(needs, actor, params.upload)
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
  }),
  patchRoute(needs),
  route(api.tusDelete, signedIn, async ({ actor, params, request, reply }) => {
    speakTus(request, reply)
    await giveUpUpload(needs, actor, params.upload)
  }),
]
