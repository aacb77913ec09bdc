import { z } from 'zod'
import { pickedRecords } from './bulk.ts'
import { endpoint } from './endpoint.ts'

/** Widths, in pixels, in which pictures are made smaller (contract). */
export const PICTURE_WIDTHS = [96, 240, 640, 1600] as const

export const readFile = endpoint({
  method: 'GET',
  path: '/api/files/:file',
  summary:
    'A finished file: ranges, ETag, smaller pictures with `w`. A signed address works together with the sign-in or token it was made for.',
  params: z.object({ file: z.string() }),
  query: z.strictObject({
    w: z.enum(PICTURE_WIDTHS.map(String)).optional(),
    download: z.string().optional(),
    /** As whom the page that shows it looks at the product. */
    as: z.string().optional(),
    /** The calendar its reader lives by. */
    zone: z.string().optional(),
    expires: z.string().optional(),
    signature: z.string().optional(),
  }),
  answer: 'raw',
  problems: ['not-found', 'range-not-satisfiable'],
})

/** Most files in one archive, and most bytes of them all. */
export const MOST_ZIPPED = { files: 10_000, bytes: 100_000_000_000 } as const

const ofOneField = {
  /** The name of a files field: of that one alone. */
  field: z.string().max(200).optional(),
}

export const zipRecord = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/files.zip',
  summary:
    'All files of a record that one may read, streamed as one ZIP with its length told first, not compressed. At most 10,000 files of 100 GB in all.',
  params: z.object({ collection: z.string(), record: z.string() }),
  query: z.strictObject(ofOneField),
  answer: 'raw',
  problems: ['collection-not-found', 'record-not-found', 'not-found', 'too-large', 'not-ready', 'storage-away'],
})

const zipped = z.strictObject({
  filter: z.string().max(20_000).optional(),
  sort: z.string().max(2_000).optional(),
  search: z.string().max(500).optional(),
  ...ofOneField,
})

const ofMany = ['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-search', 'not-found'] as const
const ofAll = ['too-large', 'not-ready', 'storage-away'] as const

export const zipRecords = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/files.zip',
  summary: 'The files of all records a query finds, as one ZIP with a folder for each record, named by its title.',
  params: z.object({ collection: z.string() }),
  query: zipped,
  answer: 'raw',
  problems: [...ofMany, ...ofAll],
})

export const zipSelection = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/files.zip',
  summary:
    'The same for a selection, which is too long for an address: of the records found `only` some, or all `except` some.',
  params: z.object({ collection: z.string() }),
  body: zipped.extend({ only: pickedRecords.optional(), except: pickedRecords.optional() }),
  answer: 'raw',
  problems: [...ofMany, ...ofAll],
})
