import { z } from 'zod'
import { selectedRecords } from './bulk.ts'
import { endpoint } from './endpoint.ts'

export const PICTURE_WIDTHS = [96, 240, 640, 1600] as const

const signed = {
  /** The impersonated user. */
  as: z.string().optional(),
  /** The reader's time zone. */
  zone: z.string().optional(),
  expires: z.string().optional(),
  signature: z.string().optional(),
}

export const readFile = endpoint({
  method: 'GET',
  path: '/api/files/:file',
  summary:
    'Download a file. Supports ranges, ETags and smaller images with `w`. A signed URL works only with the session or token it was created for.',
  params: z.object({ file: z.string() }),
  query: z.strictObject({
    w: z.enum(PICTURE_WIDTHS.map(String)).optional(),
    download: z.string().optional(),
    ...signed,
  }),
  response: 'raw',
  contentTypes: { 200: '*/*', 206: '*/*', 304: null },
  problems: ['token-missing', 'forbidden', 'not-found', 'range-not-satisfiable', 'storage-away'],
})

export const locateFile = endpoint({
  method: 'GET',
  path: '/api/files/:file/place',
  summary:
    'Get the record and field that contain a file. The collection and field are returned by their current names.',
  params: z.object({ file: z.string() }),
  response: z.object({ collection: z.string(), record: z.string(), field: z.string() }),
  problems: ['not-found'],
})

export const MAX_ZIPPED = { files: 10_000, bytes: 100_000_000_000 } as const

const fieldQuery = {
  /** Field name; if set, only the files in this field are archived. */
  field: z.string().max(200).optional(),
}

export const zipRecord = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/files.zip',
  cost: 'high',
  summary:
    'Download a record’s files as an uncompressed ZIP with a known Content-Length. Includes only files you can read, at most 10,000 files and 100 GB in total.',
  params: z.object({ collection: z.string(), record: z.string() }),
  query: z.strictObject({ ...fieldQuery, ...signed }),
  response: 'raw',
  contentTypes: { 200: 'application/zip' },
  problems: ['collection-not-found', 'record-not-found', 'not-found', 'too-large', 'not-ready', 'storage-away'],
})

const zipQuery = z.strictObject({
  filter: z.string().max(20_000).optional(),
  sort: z.string().max(2_000).optional(),
  search: z.string().max(500).optional(),
  ...fieldQuery,
})

const QUERY_PROBLEMS = [
  'collection-not-found',
  'invalid-filter',
  'invalid-sort',
  'invalid-search',
  'not-found',
] as const
const ARCHIVE_PROBLEMS = ['too-large', 'not-ready', 'storage-away'] as const

export const zipRecords = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/files.zip',
  cost: 'high',
  summary:
    'Download the files of all records that match a query as a ZIP with one folder per record, named by its title.',
  params: z.object({ collection: z.string() }),
  query: zipQuery,
  response: 'raw',
  contentTypes: { 200: 'application/zip' },
  problems: [...QUERY_PROBLEMS, ...ARCHIVE_PROBLEMS],
})

const selectionBody = zipQuery.extend({ only: selectedRecords.optional(), except: selectedRecords.optional() })

export const zipSelection = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/files.zip',
  cost: 'high',
  summary:
    'Download the files of selected records as a ZIP. In the body, `only` lists the matching records to include, or `except` those to leave out.',
  params: z.object({ collection: z.string() }),
  body: selectionBody,
  response: 'raw',
  contentTypes: { 200: 'application/zip' },
  problems: [...QUERY_PROBLEMS, ...ARCHIVE_PROBLEMS],
})

export const zipForm = selectionBody

export const zipByForm = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/files-by-form.zip',
  cost: 'high',
  summary:
    'Download the files of a selection as a ZIP through a signed URL, with the JSON body in the form part `asked`. Used by browsers to save the archive to disk.',
  params: z.object({ collection: z.string() }),
  query: z.strictObject(signed),
  body: 'stream',
  response: 'raw',
  contentTypes: { 200: 'application/zip' },
  problems: [...QUERY_PROBLEMS, ...ARCHIVE_PROBLEMS],
})

const archive = z.object({ url: z.string(), files: z.number().int(), bytes: z.number().int() })

export const archiveOfRecord = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/archive',
  summary:
    'Get a signed URL to download the files of a record. The URL is valid for five minutes and only for this session. Fails if the archive can’t be created.',
  params: z.object({ collection: z.string(), record: z.string() }),
  query: z.strictObject(fieldQuery),
  response: archive,
  problems: ['collection-not-found', 'record-not-found', 'not-found', 'too-large'],
})

export const archiveOfSelection = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/archive',
  summary:
    'Get a signed URL to download the files of all records that match a query, or of a selection. Send the same JSON body to the URL in the form part `asked`.',
  params: z.object({ collection: z.string() }),
  body: selectionBody,
  response: archive,
  problems: [...QUERY_PROBLEMS, 'too-large'],
})
