import type { z } from 'zod'
import { bulkChange } from './bulk.ts'
import type { Endpoint } from './endpoint.ts'
import { readFile, zipByForm } from './files.ts'
import { importInto, uploadImport } from './imports.ts'
import { createRecord, updateRecord } from './records.ts'
import { readOpenApi } from './system.ts'
import * as uploads from './uploads.ts'

type Header = { readonly about: string; readonly example: string; readonly isRequired?: boolean }

/** Metadata for the API reference; used only by the server. */
export type EndpointReference = {
  readonly headers?: { readonly [name: string]: Header }
  readonly responseHeaders?: { readonly [name: string]: string }
  /**
   * Content type and example of a binary body. A multipart form has a single part, named by `part`, which is a file or
   * text.
   */
  readonly bytes?: {
    readonly type: string
    readonly example: string
    readonly part?: string
    readonly isFile?: boolean
  }
  /** Query parameters to include in examples. */
  readonly exampleParams?: readonly string[]
}

const RESUMABLE = { about: 'The tus version.', example: '1.0.0', isRequired: true }
const NEXT_OFFSET = 'Bytes received so far: the offset of the next chunk.'
const EXPIRES = 'When the unfinished upload expires.'
const VERSION_HEADER = { 'Tus-Resumable': 'The supported tus version.' }

const BYTES = 'Hello, world'
const LENGTH = { about: 'The file size in bytes.', example: String(BYTES.length) }
const OFFSET = { about: 'The offset of the chunk in the file.', example: '0', isRequired: true }
const NAME = { about: 'The file name, if not in the metadata.', example: 'hello.txt' }
const CHECKSUM = {
  about:
    'The algorithm (`sha1`, `sha256`, `sha384`, `sha512` or `md5`), a space, and the Base64-encoded checksum of the chunk.',
  example: 'sha256 SufDtqwL7/Zx76jPVzhhUcBuWMpTp42D82EHMWzsEl8=',
}
const FILE_HEADERS = {
  Range: { about: 'A byte range of the file.', example: 'bytes=0-1023' },
  'If-None-Match': {
    about: 'An `ETag` you received earlier; returns 304 if the content is unchanged.',
    example: '"abc"',
  },
}
const FILE_RESPONSE_HEADERS = {
  ETag: 'Changes only when the content changes.',
  'Content-Disposition': 'The file name.',
}
const TARGET = ['collection', 'field']
const CHUNK = { type: 'application/offset+octet-stream', example: BYTES }
const CSV = { type: 'text/csv', example: 'Title\nBoat house\n' }

const filePondHead: EndpointReference = {
  responseHeaders: { 'Upload-Offset': NEXT_OFFSET, 'Upload-Length': LENGTH.about },
}
const filePondPatch: EndpointReference = {
  headers: { 'Upload-Offset': OFFSET, 'Upload-Name': NAME },
  responseHeaders: { 'Upload-Offset': NEXT_OFFSET },
  bytes: CHUNK,
}

const ENDPOINT_REFERENCES: ReadonlyMap<Endpoint, EndpointReference> = new Map<Endpoint, EndpointReference>([
  [
    uploads.tusOptions,
    {
      responseHeaders: {
        ...VERSION_HEADER,
        'Tus-Version': 'Supported tus versions.',
        'Tus-Extension': 'Supported tus extensions.',
        'Tus-Max-Size': 'Maximum file size in bytes, unless the field sets its own.',
        'Tus-Checksum-Algorithm': 'Supported algorithms for `Upload-Checksum`.',
      },
    },
  ],
  [
    uploads.tusCreate,
    {
      headers: {
        'Tus-Resumable': RESUMABLE,
        'Upload-Length': { ...LENGTH, isRequired: true },
        'Upload-Metadata': {
          about:
            'Keys with Base64-encoded values: `filename`, `filetype`, and, if not in the URL, `collection`, `field` and `record`.',
          example: 'filename aGVsbG8udHh0,filetype dGV4dC9wbGFpbg==',
        },
        'Upload-Checksum': CHECKSUM,
      },
      responseHeaders: {
        ...VERSION_HEADER,
        Location: 'The URL of the upload; its last segment is the file ID.',
        'Upload-Offset': NEXT_OFFSET,
        'Upload-Expires': EXPIRES,
      },
      bytes: CHUNK,
      exampleParams: TARGET,
    },
  ],
  [
    uploads.tusHead,
    {
      headers: { 'Tus-Resumable': RESUMABLE },
      responseHeaders: {
        ...VERSION_HEADER,
        'Upload-Offset': NEXT_OFFSET,
        'Upload-Length': LENGTH.about,
        'Upload-Metadata': 'The file name and type, Base64-encoded.',
        'Upload-Expires': EXPIRES,
      },
    },
  ],
  [
    uploads.tusPatch,
    {
      headers: { 'Tus-Resumable': RESUMABLE, 'Upload-Offset': OFFSET, 'Upload-Checksum': CHECKSUM },
      responseHeaders: { ...VERSION_HEADER, 'Upload-Offset': NEXT_OFFSET, 'Upload-Expires': EXPIRES },
      bytes: CHUNK,
    },
  ],
  [uploads.tusDelete, { headers: { 'Tus-Resumable': RESUMABLE }, responseHeaders: VERSION_HEADER }],
  [
    uploads.filePondProcess,
    {
      headers: {
        'Upload-Length': { ...LENGTH, about: 'Starts a chunked upload: the file size in bytes.' },
        'Upload-Name': NAME,
        'If-Match': { about: 'With `attach`: the version of the record that you last read.', example: '"3"' },
      },
      bytes: { type: 'multipart/form-data', example: BYTES, part: 'filepond', isFile: true },
      exampleParams: TARGET,
    },
  ],
  [uploads.filePondHead, { ...filePondHead, exampleParams: ['id'] }],
  [uploads.filePondHeadByPath, filePondHead],
  [uploads.filePondPatch, { ...filePondPatch, exampleParams: ['id'] }],
  [uploads.filePondPatchByPath, filePondPatch],
  [uploads.filePondRevert, { exampleParams: ['id'] }],
  [
    uploads.filePondRead,
    {
      headers: FILE_HEADERS,
      responseHeaders: { ...FILE_RESPONSE_HEADERS, 'X-Content-Transfer-Id': 'The file ID, for `restore` and `fetch`.' },
      exampleParams: ['load'],
    },
  ],
  [readFile, { headers: FILE_HEADERS, responseHeaders: FILE_RESPONSE_HEADERS }],
  [zipByForm, { bytes: { type: 'multipart/form-data', example: '{}', part: 'asked' } }],
  [uploadImport, { bytes: CSV }],
  [importInto, { bytes: CSV }],
  [
    createRecord,
    {
      headers: {
        'Idempotency-Key': {
          about: 'A random UUID. If the response is lost, retry with the same key.',
          example: '8f3b2a1c-5d70-4c9e-9a57-1f0f6a1c2b3d',
        },
      },
    },
  ],
  [
    updateRecord,
    {
      headers: {
        'If-Match': { about: 'The version you last read, as an alternative to `version` in the body.', example: '"3"' },
      },
    },
  ],
  [
    readOpenApi,
    {
      headers: { 'If-None-Match': FILE_HEADERS['If-None-Match'] },
      responseHeaders: { ETag: 'Changes when the document changes.' },
    },
  ],
])

export const referenceOf = (endpoint: Endpoint): EndpointReference => ENDPOINT_REFERENCES.get(endpoint) ?? {}

/** Example bodies for endpoints whose schema isn't enough to generate a useful example. */
const bodies = new Map<Endpoint, unknown>()

function setExample<Body extends z.ZodType>(endpoint: Endpoint & { readonly body: Body }, body: z.input<Body>): void {
  bodies.set(endpoint, body)
}

setExample(bulkChange, { create: [{ values: { title: 'Boat house' } }, { values: { title: 'Ferry' } }] })

/** If undefined, the example is generated from the schema. */
export const exampleBody = (endpoint: Endpoint): unknown => bodies.get(endpoint)
