import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { updateRecord } from './records.ts'

const uploadParams = z.object({ upload: z.string() })
const target = z.strictObject({
  collection: z.string().optional(),
  field: z.string().optional(),
  record: z.string().optional(),
})

const CREATE_PROBLEMS = [
  'forbidden',
  'not-found',
  'collection-not-found',
  'record-not-found',
  'upload-target-missing',
  'invalid-upload',
  'too-large',
  'workspace-full',
  'storage-full',
  'file-type-refused',
  'storage-away',
  'too-many-requests',
] as const

/** tus 1.0 and FilePond use the same upload sessions; see docs/how-to. */
export const tusOptions = endpoint({
  method: 'OPTIONS',
  path: '/api/tus',
  summary: 'Get the capabilities of the tus server.',
  response: 'raw',
  contentTypes: { 204: null },
})
export const tusCreate = endpoint({
  method: 'POST',
  path: '/api/tus',
  summary: 'Create an upload. Supports the tus extensions creation, creation-with-upload and checksum.',
  query: target,
  body: 'stream',
  response: 'raw',
  contentTypes: { 201: null },
  problems: [...CREATE_PROBLEMS, 'upload-version-unknown'],
})
export const tusHead = endpoint({
  method: 'HEAD',
  path: '/api/tus/:upload',
  summary:
    'Get the upload offset. Temporary failures return 423, because tus clients restart the upload on any other error.',
  params: uploadParams,
  response: 'raw',
  contentTypes: { 200: null },
  problems: ['gone', 'upload-held-up', 'forbidden', 'not-found', 'upload-version-unknown', 'workspace-full'],
})
export const tusPatch = endpoint({
  method: 'PATCH',
  path: '/api/tus/:upload',
  summary: 'Append a chunk. With `Upload-Checksum`, the chunk is stored completely or not at all.',
  params: uploadParams,
  body: 'stream',
  response: 'raw',
  contentTypes: { 204: null },
  problems: [
    'upload-offset-wrong',
    'too-large',
    'gone',
    'file-type-refused',
    'checksum-mismatch',
    'forbidden',
    'not-found',
    'wrong-content-type',
    'invalid-upload',
    'upload-version-unknown',
    'storage-away',
    'workspace-full',
  ],
})
export const tusDelete = endpoint({
  method: 'DELETE',
  path: '/api/tus/:upload',
  summary: 'Delete an upload.',
  params: uploadParams,
  response: 'empty',
  problems: ['forbidden', 'not-found', 'upload-version-unknown'],
})

/** FilePond sends the upload ID as `patch` (version 4), as `id` (version 5), or in the path. */
const namedUpload = z.looseObject({
  patch: z.string().optional(),
  id: z.string().optional(),
  fetch: z.string().max(2000).optional(),
  ...target.shape,
})

export const filePondProcess = endpoint({
  method: 'POST',
  path: '/api/uploads',
  summary:
    'Upload a file as multipart form data, or start a chunked upload with `Upload-Length`. Returns the upload ID as plain text.',
  query: target.extend({ attach: z.enum(['true']).optional() }),
  body: 'stream',
  response: 'raw',
  contentTypes: { 201: 'text/plain' },
  problems: [...CREATE_PROBLEMS, ...updateRecord.problems, 'wrong-content-type'],
})
export const filePondHead = endpoint({
  method: 'HEAD',
  path: '/api/uploads',
  summary:
    'Get the offset of the next chunk: the end of the last complete one. With `fetch`, returns the same headers as GET, without the body.',
  query: namedUpload,
  response: 'raw',
  contentTypes: { 200: null },
  problems: ['gone', 'forbidden', 'not-found', 'storage-away', 'workspace-full'],
})
export const filePondHeadByPath = endpoint({
  method: 'HEAD',
  path: '/api/uploads/:upload',
  summary: 'Works like the same method on `/api/uploads`, with the upload ID in the path.',
  params: uploadParams,
  response: 'raw',
  contentTypes: { 200: null },
  problems: ['gone', 'forbidden', 'not-found', 'storage-away', 'workspace-full'],
})
const CHUNK_PROBLEMS = [
  'upload-offset-wrong',
  'too-large',
  'gone',
  'file-type-refused',
  'forbidden',
  'not-found',
  'invalid-upload',
  'storage-away',
  'workspace-full',
] as const

export const filePondPatch = endpoint({
  method: 'PATCH',
  path: '/api/uploads',
  summary: 'Append a chunk. Resending a stored chunk has no effect (idempotent).',
  query: namedUpload,
  body: 'stream',
  response: 'raw',
  contentTypes: { 204: null },
  problems: CHUNK_PROBLEMS,
})
export const filePondPatchByPath = endpoint({
  method: 'PATCH',
  path: '/api/uploads/:upload',
  summary: 'Works like the same method on `/api/uploads`, with the upload ID in the path.',
  params: uploadParams,
  body: 'stream',
  response: 'raw',
  contentTypes: { 204: null },
  problems: CHUNK_PROBLEMS,
})
export const filePondRevert = endpoint({
  method: 'DELETE',
  path: '/api/uploads',
  summary:
    'Delete a finished or unfinished upload (idempotent). Send its ID as the request body or in the `id` query parameter.',
  query: namedUpload,
  body: 'stream',
  response: 'empty',
  problems: ['forbidden'],
})
export const filePondRevertByPath = endpoint({
  method: 'DELETE',
  path: '/api/uploads/:upload',
  summary: 'Works like the same method on `/api/uploads`, with the upload ID in the path.',
  params: uploadParams,
  response: 'empty',
  problems: ['forbidden'],
})
export const filePondRead = endpoint({
  method: 'GET',
  path: '/api/uploads',
  summary:
    'Download a file: `load` for a file in a record, or `restore` for one that isn’t in a record yet. With `fetch`, the server downloads a file from a URL, if `UPLOAD_FETCH` is on.',
  query: z.strictObject({
    load: z.string().optional(),
    restore: z.string().optional(),
    fetch: z.string().max(2000).optional(),
    id: z.string().optional(),
    ...target.shape,
  }),
  response: 'raw',
  contentTypes: { 200: '*/*', 206: '*/*', 304: null },
  problems: [
    'not-found',
    'range-not-satisfiable',
    'upload-target-missing',
    'invalid-upload',
    'too-large',
    'file-type-refused',
    'forbidden',
    'collection-not-found',
    'record-not-found',
    'storage-away',
  ],
})
