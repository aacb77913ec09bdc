import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const uploadParams = z.object({ upload: z.string() })
const target = z.strictObject({
  collection: z.string().optional(),
  field: z.string().optional(),
  record: z.string().optional(),
})

/** Why an upload cannot begin. */
const AT_BEGINNING = [
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

/** tus 1.0 and FilePond are two dialects over one upload session; see docs/how-to for both. */
export const tusOptions = endpoint({
  method: 'OPTIONS',
  path: '/api/tus',
  summary: 'What the tus server can do.',
  answer: 'raw',
  sends: { 204: null },
})
export const tusCreate = endpoint({
  method: 'POST',
  path: '/api/tus',
  summary: 'Begin an upload (tus creation, creation-with-upload, checksum).',
  query: target,
  body: 'stream',
  answer: 'raw',
  sends: { 201: null },
  problems: [...AT_BEGINNING, 'upload-version-unknown'],
})
export const tusHead = endpoint({
  method: 'HEAD',
  path: '/api/tus/:upload',
  summary:
    'How many bytes have arrived. What passes by itself is told as 423: any other refusal has tus clients begin anew.',
  params: uploadParams,
  answer: 'raw',
  sends: { 200: null },
  problems: ['gone', 'upload-held-up', 'forbidden', 'not-found', 'upload-version-unknown', 'workspace-full'],
})
export const tusPatch = endpoint({
  method: 'PATCH',
  path: '/api/tus/:upload',
  summary: 'Send the next bytes; with `Upload-Checksum` they are taken as a whole or not at all.',
  params: uploadParams,
  body: 'stream',
  answer: 'raw',
  sends: { 204: null },
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
  summary: 'Give the upload up.',
  params: uploadParams,
  answer: 'empty',
  problems: ['forbidden', 'not-found', 'upload-version-unknown'],
})

/** FilePond names an upload by `patch` (version 4), by `id` (version 5), or in the path. Other parameters are its own. */
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
    'Send a file as a form; with `Upload-Length`, begin one that is sent in chunks. Answers the id alone, as text.',
  query: target,
  body: 'stream',
  answer: 'raw',
  sends: { 201: 'text/plain' },
  problems: [...AT_BEGINNING, 'wrong-content-type'],
})
export const filePondHead = endpoint({
  method: 'HEAD',
  path: '/api/uploads',
  summary:
    'Where the next chunk begins: the end of the last one that arrived as a whole. With `fetch`, as GET, but only the headers.',
  query: namedUpload,
  answer: 'raw',
  sends: { 200: null },
  problems: ['gone', 'forbidden', 'not-found', 'storage-away', 'workspace-full'],
})
export const filePondHeadByPath = endpoint({
  method: 'HEAD',
  path: '/api/uploads/:upload',
  summary: 'The same, the upload named in the path.',
  params: uploadParams,
  answer: 'raw',
  sends: { 200: null },
  problems: ['gone', 'forbidden', 'not-found', 'storage-away', 'workspace-full'],
})
/** Why a chunk may be refused, however its upload is named. */
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
  summary: 'Send the next chunk. A chunk that is stored already is taken as said.',
  query: namedUpload,
  body: 'stream',
  answer: 'raw',
  sends: { 204: null },
  problems: CHUNK_PROBLEMS,
})
export const filePondPatchByPath = endpoint({
  method: 'PATCH',
  path: '/api/uploads/:upload',
  summary: 'The same, the upload named in the path.',
  params: uploadParams,
  body: 'stream',
  answer: 'raw',
  sends: { 204: null },
  problems: CHUNK_PROBLEMS,
})
export const filePondRevert = endpoint({
  method: 'DELETE',
  path: '/api/uploads',
  summary: 'Take an upload back, finished or not; its id is the body or `id`. What is gone already is fine.',
  query: namedUpload,
  body: 'stream',
  answer: 'empty',
  problems: ['forbidden'],
})
export const filePondRevertByPath = endpoint({
  method: 'DELETE',
  path: '/api/uploads/:upload',
  summary: 'The same, the upload named in the path.',
  params: uploadParams,
  answer: 'empty',
  problems: ['forbidden'],
})
export const filePondRead = endpoint({
  method: 'GET',
  path: '/api/uploads',
  summary:
    'A finished file: `load` one of a record, `restore` one that stands in no record yet; `fetch` has the server fetch one from another address, where `UPLOAD_FETCH` is on.',
  query: z.strictObject({
    load: z.string().optional(),
    restore: z.string().optional(),
    fetch: z.string().max(2000).optional(),
    id: z.string().optional(),
    ...target.shape,
  }),
  answer: 'raw',
  sends: { 200: '*/*', 206: '*/*', 304: null },
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
