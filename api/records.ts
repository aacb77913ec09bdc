import { z } from 'zod'
import { TABLE } from '#domain/specification.ts'
import { endpoint, wholeNumber } from './endpoint.ts'

type Values = { readonly [name: string]: unknown }

const isObject = (input: unknown): input is Values =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/**
 * Values of a record as they come in, by the names of fields: whoever knows the fields checks each of them. Here they
 * are only asked to be an object, because `z.record` copies every name, which takes a fifth of a second where there are
 * 400,000.
 */
export const valuesInput = z.unknown().transform((input, context): Values => {
  if (isObject(input)) return input
  context.issues.push({ code: 'invalid_type', expected: 'record', input })
  return z.NEVER
})

/** An expanded file. `url` is a short-lived signed address; `thumbUrl` one of its small picture, when it is one. */
export const fileBody = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  url: z.string(),
  thumbUrl: z.string().nullable(),
})

/** The parsed form. */
export type FileBody = z.infer<typeof fileBody>

/**
 * What the ids inside expanded documents mean to their reader, by id: files, the names of people, the titles of
 * records. What is gone or out of sight is not in it.
 */
export const documentReferences = z.object({
  files: z.record(z.string(), fileBody),
  people: z.record(z.string(), z.string()),
  records: z.record(z.string(), z.string()),
})

/** The parsed form. */
export type DocumentReferencesBody = z.infer<typeof documentReferences>

/** A record on the wire: values by field name; choices by name; relations, people and files by id. */
export const recordBody = z.object({
  id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
  values: z.record(z.string(), z.unknown()),
  /** Where rich texts are expanded. */
  inside: documentReferences.optional(),
  /**
   * Where `createdBy` and `updatedBy` are expanded: the names of these users by id. One who no longer exists has none.
   */
  people: z.record(z.string(), z.string()).optional(),
})

/** The parsed form. */
export type RecordBody = z.infer<typeof recordBody>

/**
 * Where a search hit in a record, by the name of the field: from and to in UTF-16 units of what people read there (of a
 * rich text its plain text, of a choice, a file or somebody the name, of a related record the title), and in a field of
 * many values the place of the value.
 */
export const recordMarks = z.record(z.string(), z.array(z.array(z.number()).min(2).max(3)))

/** A record of a list, with its hits when they were asked for. */
const listedRecord = recordBody.extend({ marks: recordMarks.optional() })

/** The parsed form. */
export type RecordListItem = z.infer<typeof listedRecord>

/** An expanded relation: the record's id and what names it to people. */
export const relatedBody = z.object({ id: z.string(), title: z.string() })

/** An expanded user: their id and name. */
export const personBody = z.object({ id: z.string(), name: z.string() })

/** The parsed form. */
export type PersonBody = z.infer<typeof personBody>

/** The parsed form. */
export type RelatedBody = z.infer<typeof relatedBody>

const collectionParams = z.object({ collection: z.string() })
const recordParams = z.object({ collection: z.string(), record: z.string() })

/** Everything that narrows or orders a list. */
const listing = {
  filter: z.string().max(20_000).optional(),
  sort: z.string().max(2_000).optional(),
  search: z.string().max(500).optional(),
}

const choicesForm = z.enum(['name', 'id']).default('name')

/** Rich text as its document, or rendered. Written, it may also come as `{ "html": … }` or `{ "markdown": … }`. */
const richTextForm = z.enum(['document', 'text', 'html', 'markdown']).default('document')

export const listRecords = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records',
  summary: 'List records, with filter, search and sort.',
  params: collectionParams,
  query: z.strictObject({
    ...listing,
    page: wholeNumber.pipe(z.number().min(1)).optional(),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(TABLE.defaultPageSize),
    cursor: z.string().max(2_000).optional(),
    /** Field names, comma-separated; all when left out. */
    fields: z.string().max(20_000).optional(),
    /**
     * Relation, user and files fields to answer as objects, rich texts to answer with what stands inside, `createdBy`
     * and `updatedBy` to answer with `people`; `*` for all.
     */
    expand: z.string().max(2_000).optional(),
    /** A validation rule ID: only records that break it, for managers of the collection. */
    breaks: z.string().max(100).optional(),
    count: z.enum(['exact', 'capped', 'none']).default('capped'),
    choices: choicesForm,
    richText: richTextForm,
    /** Whether each record says where the search hit. */
    marks: z
      .enum(['true', 'false'])
      .transform((word) => word === 'true')
      .optional(),
  }),
  response: z.object({
    items: z.array(listedRecord),
    page: z.number(),
    perPage: z.number(),
    total: z.number().nullable(),
    totalIs: z.enum(['exact', 'atLeast', 'unknown']),
    nextCursor: z.string().nullable(),
  }),
  problems: ['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-search', 'invalid-cursor'],
})

export const createRecord = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records',
  summary: 'Create a record.',
  params: collectionParams,
  body: z.strictObject({ values: valuesInput.default({}) }),
  response: recordBody,
  status: 201,
  problems: ['collection-not-found', 'values-invalid', 'rule-broken', 'use-transition'],
})

export const readRecord = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record',
  summary: 'Get a record.',
  params: recordParams,
  query: z.strictObject({ expand: z.string().max(2_000).optional(), choices: choicesForm, richText: richTextForm }),
  response: recordBody,
  problems: ['collection-not-found', 'record-not-found'],
})

export const updateRecord = endpoint({
  method: 'PATCH',
  path: '/api/collections/:collection/records/:record',
  summary: 'Update the given values. A stale `version` (or `If-Match`) fails with 409 and the current record.',
  params: recordParams,
  body: z.strictObject({ values: valuesInput, version: z.number().int().optional() }),
  response: recordBody,
  problems: [
    'collection-not-found',
    'record-not-found',
    'version-conflict',
    'values-invalid',
    'rule-broken',
    'use-transition',
    'field-frozen',
  ],
})

export const deleteRecord = endpoint({
  method: 'DELETE',
  path: '/api/collections/:collection/records/:record',
  summary: 'Delete a record.',
  params: recordParams,
  response: 'empty',
  problems: ['collection-not-found', 'record-not-found'],
})

export const aggregateRecords = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/sums',
  cost: 'high',
  summary: 'Get aggregates of all matching records: count, and sum, average, minimum and maximum of number fields.',
  params: collectionParams,
  query: z.strictObject({
    /** Such as `sum(amount),avg(amount)`. */
    aggregates: z.string().max(2_000).optional(),
    filter: listing.filter,
    search: listing.search,
  }),
  response: z.object({ count: z.number(), aggregates: z.record(z.string(), z.number().nullable()) }),
  problems: ['collection-not-found', 'invalid-group', 'invalid-filter', 'invalid-search'],
})

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/groups',
  cost: 'high',
  summary: 'List groups with their counts, aggregates and offsets in the list sorted by group.',
  params: collectionParams,
  query: z.strictObject({
    by: z.string().min(1).max(500),
    aggregates: z.string().max(2_000).optional(),
    ...listing,
    page: wholeNumber.pipe(z.number().min(1)).default(1),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(100),
  }),
  response: z.object({
    groups: z.array(
      z.object({
        key: z.record(z.string(), z.unknown()),
        label: z.string(),
        count: z.number(),
        aggregates: z.record(z.string(), z.number().nullable()),
        offset: z.number(),
      }),
    ),
    page: z.number(),
    perPage: z.number(),
    total: z.number(),
  }),
  problems: ['collection-not-found', 'invalid-group', 'invalid-filter', 'invalid-sort', 'invalid-search'],
})
