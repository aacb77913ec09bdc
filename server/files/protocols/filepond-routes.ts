import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import * as api from '#api/uploads.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AssetDeps, getFile } from '#server/files/assets/find-file.ts'
import { sendFile } from '#server/files/assets/send-file.ts'
import { signedIn, signedInWithoutImpersonation } from '#server/platform/http/access.ts'
import { type Route, route, type RouteInput } from '#server/platform/http/route.ts'
import type { UploadTargetInput } from '#server/files/uploads/authorize-target.ts'
import { attachFile, type AttachTarget } from '#server/files/uploads/attach-file.ts'
import { createUpload } from '#server/files/uploads/create-upload.ts'
import { fetchUpload } from '#server/files/remote/fetch-upload.ts'
import { cancelUpload, inspectUpload } from '#server/files/uploads/find-upload.ts'
import { receiveChunk } from '#server/files/uploads/receive-chunk.ts'
import { bytesHeader, neededBytesHeader, utf8Header } from './tus-routes.ts'
import { storeFile } from '#server/files/uploads/store-file.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { versionFromHeader } from '#server/records/crud/routes.ts'
import { Busboy } from '@fastify/busboy'

/** How browsers escape quotation marks in form file names (HTML standard, multipart/form-data). */
const QUOTE_CODE = /%22/g

type FormFile = { readonly name: string; readonly type: string; readonly body: Readable }

/** Form limits: one file and its metadata. */
const LIMITS = { fields: 10, fieldSize: 16_000, files: 2, parts: 12, headerPairs: 50, headerSize: 8000 }

const FORM_TYPE = /^multipart\/form-data\s*;\s*(?:.*;\s*)?boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})\s*(?:;|$)/i

const isForm = ({ headers }: FastifyRequest): boolean => FORM_TYPE.test(headers['content-type'] ?? '')

const broken = (): Problem => new Problem('invalid-upload', 'The form is incomplete or invalid. Nothing was saved.')

/**
 * Parses a multipart form as a stream. `onFile` receives the file and the preceding text fields, and must read the file
 * completely.
 */
function readForm<Answer>(
  request: FastifyRequest,
  body: Readable,
  onFile: (file: FormFile, texts: readonly string[]) => Promise<Answer>,
): Promise<{ readonly texts: readonly string[]; readonly answer: Answer | undefined }> {
  const contentType = request.headers['content-type'] ?? ''
  const parser = new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits: LIMITS })
  const texts: string[] = []
  let current: Readable | undefined
  let taking: Promise<Answer> | undefined

  return new Promise((resolve, reject) => {
    const giveUp = (error: Error): void => {
      body.unpipe(parser)
      current?.destroy(error)
      reject(error)
    }
    parser.on('field', (_name, value) => texts.push(value))
    parser.on('file', (...[, file, name, , type]) => {
      // Errors on this stream are reported to its reader.
      file.on('error', () => undefined)
      if (taking !== undefined) {
        file.resume()
        giveUp(new Problem('invalid-upload', 'Send one file per request.'))
        return
      }
      current = file
      taking = onFile({ name: name.replace(QUOTE_CODE, '"'), type, body: file }, texts)
      taking.then(() => undefined, giveUp)
    })
    parser.on('error', () => giveUp(broken()))
    parser.on('finish', () => {
      Promise.resolve(taking).then((answer) => resolve({ texts, answer }), reject)
    })
    body.on('error', () => giveUp(broken()))
    body.on('aborted', () => giveUp(broken()))
    body.pipe(parser)
  })
}

/** Metadata that FilePond sends; other properties are ignored. */
const metadata = z.object({
  collection: z.string().optional(),
  field: z.string().optional(),
  record: z.string().optional(),
  attach: z.boolean().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
})

type Metadata = z.output<typeof metadata>

type Handled = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** The first text field that contains a JSON object; FilePond sends one with every file. */
async function metadataIn(texts: readonly string[]): Promise<Metadata> {
  for (const text of texts) {
    const said = await Promise.resolve(text)
      .then((json): unknown => JSON.parse(json))
      .then(
        (value) => metadata.safeParse(value),
        () => undefined,
      )
    if (said?.success === true) return said.data
  }
  return {}
}

const targetOf = (query: UploadTargetInput, said: Metadata): UploadTargetInput => ({
  collection: query.collection ?? said.collection,
  field: query.field ?? said.field,
  record: (query.record ?? said.record) || null,
})

/** FilePond uses the response text as the ID. */
const sendId = async (reply: FastifyReply, id: string): Promise<void> => {
  await reply.code(201).type('text/plain; charset=utf-8').send(id)
}

type ProcessQuery = z.output<(typeof api.filePondProcess)['query']>
type Processing = RouteInput<unknown, ProcessQuery, Readable>

/** The record that the file is attached to in the same request. */
function attachTargetOf({ query, request }: Processing, said: Metadata): AttachTarget | undefined {
  if (query.attach === undefined && said.attach !== true) return undefined
  const { record } = targetOf(query, said)
  if (record) return { record, version: versionFromHeader(request.headers['if-match']) }
  throw new Problem('upload-target-missing', '“attach” requires “record”: the ID of the record to add the file to.', {
    errors: [{ path: 'record', code: 'missing', message: 'This field is required.' }],
  })
}

/** Starts a chunked upload with the file size and optional metadata. */
async function createChunkedUpload(deps: UploadDeps, requested: Processing): Promise<void> {
  const { actor, query, body, request, reply } = requested
  const { texts } = isForm(request) ? await readForm(request, body, rejectFile) : { texts: [] }
  const said = await metadataIn(texts)
  if (attachTargetOf(requested, said) !== undefined)
    throw new Problem('invalid-upload', '“attach” requires uploading the file in a single request.')
  const bytes = neededBytesHeader(request.headers, 'upload-length')
  const name = said.name ?? utf8Header(request.headers, 'upload-name') ?? ''
  const file = { name, type: said.type ?? '', bytes, isNamedLater: name === '' }
  const upload = await createUpload(deps, actor, targetOf(query, said), file)
  await sendId(reply, upload.id)
}

const rejectFile = (): Promise<never> =>
  Promise.reject(new Problem('invalid-upload', 'A chunked upload must start with an empty body.'))

async function receiveForm(deps: UploadDeps & RecordDeps, requested: Processing): Promise<void> {
  const { actor, query, body, request, reply } = requested
  if (!isForm(request)) throw new Problem('wrong-content-type', 'Send the file as multipart/form-data.')
  const { answer } = await readForm(request, body, async (file, texts) => {
    const said = await metadataIn(texts)
    const attaching = attachTargetOf(requested, said)
    const declaredBytes = bytesHeader(request.headers, 'content-length') ?? 0
    const asset = await storeFile(deps, actor, targetOf(query, said), { ...file, declaredBytes })
    return { asset, attaching }
  })
  if (answer === undefined) throw new Problem('invalid-upload', 'The form contains no file.')
  // Attaches the file only after the form has ended, because a form with a second file is rejected.
  const { asset, attaching } = answer
  if (attaching) await attachFile(deps, actor, asset, attaching)
  await sendId(reply, asset.id)
}

async function patch(deps: UploadDeps, actor: Actor, id: string, sent: Handled & { readonly body: Readable }) {
  const { headers } = sent.request
  const upload = await receiveChunk(deps, actor, id, {
    offset: neededBytesHeader(headers, 'upload-offset'),
    // Chunks are stored atomically, so the length must be known in advance.
    bytes: neededBytesHeader(headers, 'content-length'),
    fileBytes: bytesHeader(headers, 'upload-length'),
    rule: 'repeatable',
    keepsPart: false,
    name: utf8Header(headers, 'upload-name'),
    body: sent.body,
  })
  await sent.reply.code(204).header('upload-offset', String(upload.committed)).send()
}

/** Fetches the file on the server and returns only its headers; FilePond then treats it as uploaded. */
async function fetchHead(deps: UploadDeps, actor: Actor, query: FetchQuery, { reply }: Handled): Promise<void> {
  const asset = await fetchUpload(deps, actor, query, query.fetch)
  await reply
    .headers({
      'x-content-transfer-id': asset.id,
      'content-disposition': contentDisposition(asset.name, { type: 'inline' }),
      'content-length': String(asset.bytes),
      'cache-control': 'no-store',
    })
    .type(asset.type)
    .send()
}

type FetchQuery = UploadTargetInput & { readonly fetch: string }

async function head(deps: UploadDeps, actor: Actor, id: string, { reply }: Handled): Promise<void> {
  const upload = await inspectUpload(deps, actor, id)
  await reply
    .code(200)
    .headers({
      'upload-offset': String(upload.committed),
      'upload-length': String(upload.file.bytes),
      'cache-control': 'no-store',
    })
    .send()
}

/** Reverting a missing upload succeeds, because FilePond may send the request twice. */
const revert = (deps: UploadDeps, actor: Actor, id: string): Promise<void> =>
  cancelUpload(deps, actor, id).then(undefined, (error: unknown) => {
    if (!(error instanceof Problem && error.code === 'not-found')) throw error
  })

const MAX_ID_BYTES = 200

async function idIn(body: Readable): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  // Chunks are always buffers, because no encoding is set.
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= MAX_ID_BYTES) parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8').trim()
}

type ReadQuery = z.output<(typeof api.filePondRead)['query']>

async function read(
  deps: UploadDeps & AssetDeps,
  actor: Actor,
  query: ReadQuery,
  { request, reply }: Handled,
): Promise<void> {
  const sending = { width: null, isDownload: false, cacheControl: 'private, no-cache' }
  if (query.fetch !== undefined) {
    const fetched = await fetchUpload(deps, actor, query, query.fetch)
    reply.header('x-content-transfer-id', fetched.id)
    return sendFile(deps, fetched, sending, { request, reply })
  }
  const id = query.load ?? query.restore ?? query.id
  if (id === undefined) throw new Problem('invalid-request', 'Specify the file: load=<id> or restore=<id>.')
  const asset = await getFile(deps, actor, id)
  if (query.restore !== undefined) {
    // Only the uploader can restore an unattached file; attached files are loaded instead.
    const isWaiting = asset.record === null && asset.userId === userIdOf(actor)
    if (!isWaiting) throw new Problem('not-found', 'File not found.')
    reply.header('x-content-transfer-id', asset.id)
  }
  await sendFile(deps, asset, sending, { request, reply })
}

const namedIn = ({ patch: patched, id }: { readonly patch?: string | undefined; readonly id?: string | undefined }) =>
  patched ?? id ?? ''

/** Supports FilePond 4 and the names that version 5 uses for the same operations. */
export const filePondRoutes = (deps: UploadDeps & AssetDeps & RecordDeps): readonly Route[] => [
  route(api.filePondProcess, signedIn, async (requested) =>
    requested.request.headers['upload-length'] === undefined
      ? receiveForm(deps, requested)
      : createChunkedUpload(deps, requested),
  ),
  // Registered before GET, which would otherwise also handle HEAD.
  route(api.filePondHead, signedInWithoutImpersonation, async (requested) => {
    const { fetch, ...query } = requested.query
    return fetch === undefined
      ? head(deps, requested.actor, namedIn(query), requested)
      : fetchHead(deps, requested.actor, { ...query, fetch }, requested)
  }),
  route(api.filePondHeadByPath, signedInWithoutImpersonation, async (requested) =>
    head(deps, requested.actor, requested.params.upload, requested),
  ),
  route(api.filePondRead, signedInWithoutImpersonation, async (requested) =>
    read(deps, requested.actor, requested.query, requested),
  ),
  route(api.filePondPatch, signedIn, async (requested) =>
    patch(deps, requested.actor, namedIn(requested.query), requested),
  ),
  route(api.filePondPatchByPath, signedIn, async (requested) =>
    patch(deps, requested.actor, requested.params.upload, requested),
  ),
  route(api.filePondRevert, signedIn, async ({ actor, query, body }) =>
    revert(deps, actor, namedIn(query) || (await idIn(body))),
  ),
  route(api.filePondRevertByPath, signedIn, async ({ actor, params }) => revert(deps, actor, params.upload)),
]
