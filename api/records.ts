import { z } from 'zod'
import { isDay } from '#domain/shared/time.ts'
import { TABLE } from '#domain/specification.ts'
import { endpoint, wholeNumber } from './endpoint.ts'

type Values = { readonly [name: string]: unknown }

const isObject = (input: unknown): input is Values =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** Values by field name, validated later against field definitions. Avoids `z.record`, which would copy every entry. */
export const valuesInput = z.unknown().transform((input, context): Values => {
  if (isObject(input)) return input
  context.issues.push({ code: 'invalid_type', expected: 'record', input })
  return z.NEVER
})

/** `url` and `thumbUrl` are signed and short-lived. */
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

export type FileBody = z.infer<typeof fileBody>

/** Files, user names and record titles referenced in rich text, by ID; deleted and hidden ones are omitted. */
export const documentReferences = z.object({
  files: z.record(z.string(), fileBody),
  people: z.record(z.string(), z.string()),
  records: z.record(z.string(), z.string()),
})

export type DocumentReferencesBody = z.infer<typeof documentReferences>

/** Values by field name; options as names; relations, users and files as IDs. */
export const recordBody = z.object({
  id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
  values: z.record(z.string(), z.unknown()),
  /** Present only if a rich-text field is expanded. */
  inside: documentReferences.optional(),
  /** User names by user ID, excluding deleted users; present only if `createdBy` or `updatedBy` is expanded. */
  people: z.record(z.string(), z.string()).optional(),
})

export type RecordBody = z.infer<typeof recordBody>

/** Search matches by field name, as UTF-16 offsets in the displayed text; list fields include the value index. */
export const recordMarks = z.record(z.string(), z.array(z.array(z.number()).min(2).max(3)))

export const listedRecord = recordBody.extend({ marks: recordMarks.optional() })

export type RecordListItem = z.infer<typeof listedRecord>

/** `values` are the fields requested with `expand`. */
export const relatedBody = z.object({
  id: z.string(),
  title: z.string(),
  values: z.record(z.string(), z.unknown()).optional(),
})

export const personBody = z.object({ id: z.string(), name: z.string() })

export type PersonBody = z.infer<typeof personBody>

export type RelatedBody = z.infer<typeof relatedBody>

const collectionParams = z.object({ collection: z.string() })
const recordParams = z.object({ collection: z.string(), record: z.string() })

const listing = {
  filter: z.string().max(20_000).optional(),
  sort: z.string().max(2_000).optional(),
  search: z.string().max(500).optional(),
}

/** Reads the records as they were at this time, with your current permissions. */
export const asOf = { at: z.iso.datetime({ offset: true }).optional() }

const choicesForm = z.enum(['name', 'id']).default('name')

/** Input also accepts `{ "html": … }` and `{ "markdown": … }`. */
const richTextForm = z.enum(['document', 'text', 'html', 'markdown']).default('document')

/** Calculated fields whose values are being recalculated in the background, so some aren't current; absent if none. */
const recalculating = z.array(z.string()).optional()

export const listRecords = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records',
  summary: 'List records. Supports filtering, search and sorting.',
  params: collectionParams,
  query: z.strictObject({
    ...listing,
    page: wholeNumber.pipe(z.number().min(1)).optional(),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(TABLE.defaultPageSize),
    cursor: z.string().max(2_500).optional(),
    /** Comma-separated field names; defaults to all. */
    fields: z.string().max(20_000).optional(),
    /**
     * Relation, user, file and rich-text fields to expand, plus `createdBy` and `updatedBy`; `*` expands all. Linked
     * records can include fields, as in `routes(name,from(code))`.
     */
    expand: z.string().max(2_000).optional(),
    /**
     * Validation rule ID: returns only records that violate this rule; requires permission to manage the collection.
     */
    breaks: z.string().max(100).optional(),
    count: z.enum(['exact', 'capped', 'none']).default('capped'),
    choices: choicesForm,
    richText: richTextForm,
    marks: z
      .enum(['true', 'false'])
      .transform((word) => word === 'true')
      .optional(),
    ...asOf,
  }),
  response: z.object({
    items: z.array(listedRecord),
    page: z.number(),
    perPage: z.number(),
    total: z.number().nullable(),
    totalIs: z.enum(['exact', 'atLeast', 'unknown']),
    nextCursor: z.string().nullable(),
    recalculating,
  }),
  problems: ['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-search', 'invalid-cursor'],
})

/** Days of a calendar page, at most nine weeks. */
const MAX_DAYS = 63

/** More records of a day are listed by a filter. */
const MAX_PER_DAY = 20

export const listRecordsByDay = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/days',
  cost: 'high',
  summary:
    'List the first records of each day by a date field, and how many there are. Date-times belong to a day in your time zone.',
  params: collectionParams,
  query: z.strictObject({
    /** Date field. */
    by: z.string().min(1).max(120),
    from: z.iso.date().refine(isDay, 'Use a date from 0001-01-01 to 9999-12-31.'),
    days: wholeNumber.pipe(z.number().min(1).max(MAX_DAYS)),
    perDay: wholeNumber.pipe(z.number().min(1).max(MAX_PER_DAY)).default(4),
    filter: listing.filter,
    search: listing.search,
    fields: z.string().max(20_000).optional(),
    expand: z.string().max(2_000).optional(),
    choices: choicesForm,
    richText: richTextForm,
    ...asOf,
  }),
  response: z.object({
    days: z.array(
      z.object({
        day: z.string(),
        items: z.array(listedRecord),
        total: z.number().nullable(),
        totalIs: z.enum(['exact', 'atLeast', 'unknown']),
      }),
    ),
    recalculating,
  }),
  problems: ['collection-not-found', 'invalid-filter', 'invalid-search'],
})

export const createRecord = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records',
  summary:
    'Create a record. Retries with the same `Idempotency-Key` header return the record created by the first request.',
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
  query: z.strictObject({
    expand: z.string().max(2_000).optional(),
    choices: choicesForm,
    richText: richTextForm,
    ...asOf,
  }),
  response: recordBody.extend({ recalculating }),
  problems: ['collection-not-found', 'record-not-found'],
})

export const updateRecord = endpoint({
  method: 'PATCH',
  path: '/api/collections/:collection/records/:record',
  summary:
    'Update the given values of a record. If `version` (or `If-Match`) is stale, returns 409 with the current record.',
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
  summary:
    'Get aggregates of all matching records: the count, and the sum, average, minimum and maximum of number fields.',
  params: collectionParams,
  query: z.strictObject({
    aggregates: z.string().max(2_000).optional(),
    filter: listing.filter,
    search: listing.search,
    ...asOf,
  }),
  response: z.object({ count: z.number(), aggregates: z.record(z.string(), z.number().nullable()) }),
  problems: ['collection-not-found', 'invalid-group', 'invalid-filter', 'invalid-search'],
})

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/groups',
  cost: 'high',
  summary:
    'List groups with their counts, aggregates and offsets. Offsets refer to the record list sorted by group. By a field with several values, a record is in several groups; at most two such fields are accepted, of which one can be a reverse side.',
  params: collectionParams,
  query: z.strictObject({
    by: z.string().min(1).max(500),
    aggregates: z.string().max(2_000).optional(),
    /** One of the aggregates, such as `-sum(amount)`. Without it, groups are in the order of the list. */
    order: z.string().max(200).optional(),
    ...listing,
    page: wholeNumber.pipe(z.number().min(1)).default(1),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(100),
    ...asOf,
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
    recalculating,
  }),
  problems: ['collection-not-found', 'invalid-group', 'invalid-filter', 'invalid-sort', 'invalid-search'],
})
