import { z } from 'zod'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { endpoint } from './endpoint.ts'
import { filterInput } from './filters.ts'
import { valuesInput } from './records.ts'

/** Most records changed all or nothing (contract); of more a job is made. */
export const MAX_AT_ONCE = 10_000

/** Ids of selected records. */
export const selectedRecords = z.array(z.string().regex(ID_PATTERN)).max(MAX_AT_ONCE)

/** Records named one by one. */
const bulkByList = z.strictObject({
  create: z
    .array(z.strictObject({ values: valuesInput }))
    .max(MAX_AT_ONCE)
    .optional(),
  update: z
    .array(z.strictObject({ id: z.string(), values: valuesInput, version: z.number().int().optional() }))
    .max(MAX_AT_ONCE)
    .optional(),
  delete: z.array(z.string()).max(MAX_AT_ONCE).optional(),
})

/** Every record a query finds, but those excepted. */
const where = z.strictObject({
  filter: filterInput.optional(),
  search: z.string().max(500).optional(),
  /** Of those, no others than these; they are always changed at once. */
  only: selectedRecords.optional(),
  except: z.array(z.string()).max(MAX_AT_ONCE).default([]),
})

/** The parsed form of both. */
export type BulkByList = z.output<typeof bulkByList>

/** For lists of choices, related records or people: what goes into them, or out of them. */
const lists = z.record(z.string(), z.array(z.unknown()).min(1).max(500)).default({})

/** What is changed in every record a query finds. */
const bulkByWhere = z
  .strictObject({
    where,
    /** `values` take the place of what is there; `add` and `take` leave the rest of a list as it is in each record. */
    update: z.strictObject({ values: valuesInput.default({}), add: lists, take: lists }).optional(),
    /** Those that can be taken there are; the others stay. */
    transition: z.strictObject({ to: z.string(), note: z.string().max(10_000).optional() }).optional(),
    delete: z.literal(true).optional(),
    /** `leave`: rejected records stay unchanged and are reported; otherwise one rejects all. Jobs always leave them. */
    refused: z.enum(['refuse', 'leave']).default('refuse'),
    /**
     * Answers what each changed record held before, as far as the actor reads it, to give it back. A job remembers
     * nothing.
     */
    remember: z.literal(true).optional(),
    /** Most records a deletion may find; of more it is refused and the answer tells the `count`. */
    expected: z.number().int().min(0).optional(),
  })
  .refine((body) => [body.update, body.transition, body.delete].filter((one) => one !== undefined).length === 1, {
    error: 'Set exactly one of “update”, “transition” and “delete” with “where”',
  })

/** The parsed form. */
export type BulkByWhere = z.output<typeof bulkByWhere>

/** Records that were refused for one reason. */
const skippedRecords = z.object({
  /** A sentence for people. */
  message: z.string(),
  /** How many there are. */
  count: z.number(),
  /** The ids of the first of them. */
  records: z.array(z.string()),
})

/** A record as it was before it was changed: the values that changed, and the version it has since. */
const beforeBody = z.object({ id: z.string(), version: z.number(), values: z.record(z.string(), z.unknown()) })

/** The parsed form. */
export type BeforeBody = z.infer<typeof beforeBody>

/** What was changed at once. */
const bulkResult = z.object({
  created: z.array(z.string()),
  updated: z.number(),
  deleted: z.number(),
  /** Where some were left as they are. */
  refused: z.array(skippedRecords).optional(),
  /** Where it was asked for. */
  before: z.array(beforeBody).optional(),
  /** Where records were deleted: what `POST /api/change-sets/:changeSet/undo` undoes it by. */
  changeSet: z.string().optional(),
})

/** The parsed form. */
export type ChangedBody = z.infer<typeof bulkResult>

export const bulkChange = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records/bulk',
  cost: 'high',
  summary:
    'Create, update or delete up to 10,000 records, all or nothing: listed by ID, or matched by a query. Errors name the records that failed. If a query matches more, returns 202 with a job that changes them in batches, skipping and reporting records that fail.',
  params: z.object({ collection: z.string() }),
  body: z.union([bulkByWhere, bulkByList]),
  response: z.union([bulkResult, z.object({ job: z.string() })]),
  contentTypes: { 202: 'application/json' },
  problems: [
    'collection-not-found',
    'record-not-found',
    'version-conflict',
    'count-changed',
    'values-invalid',
    'rule-broken',
    'transition-refused',
    'too-large',
    'invalid-filter',
    'invalid-search',
    'forbidden',
    'use-transition',
    'field-frozen',
  ],
})

export const countBulk = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records/bulk/count',
  cost: 'high',
  summary:
    'Count the records that a query matches, or those of them in `where.only`; with `delete`, how many a bulk deletion would delete.',
  params: z.object({ collection: z.string() }),
  body: z.strictObject({ where, delete: z.literal(true).optional() }),
  response: z.object({ count: z.number() }),
  problems: ['collection-not-found', 'invalid-filter', 'invalid-search', 'forbidden'],
})

/** What undoing a deletion came to. */
const restoreResult = z.object({
  /** How many of the deleted records exist again. */
  restored: z.number(),
  /** Records that could not be restored. */
  refused: z.array(skippedRecords).optional(),
  /** Records that were restored without some of their values, because these have no place any more. */
  lost: z.array(skippedRecords).optional(),
})

/** The parsed form. */
export type RestoredBody = z.infer<typeof restoreResult>

export const undoDeletion = endpoint({
  method: 'POST',
  path: '/api/change-sets/:changeSet/undo',
  cost: 'high',
  summary:
    'Undo your own deletion within 12 hours (idempotent). Records are restored with the same IDs as new versions, including values, files and incoming links. Returns 202 with a job if the deletion was a job; its change set has the ID of that job.',
  params: z.object({ changeSet: z.string() }),
  response: z.union([restoreResult, z.object({ job: z.string() })]),
  contentTypes: { 202: 'application/json' },
  problems: ['not-found', 'gone', 'change-running', 'collection-not-found', 'forbidden', 'values-invalid'],
})

/** A job that runs in batches; each batch is applied completely or not at all. */
export const jobBody = z.object({
  id: z.string(),
  does: z.enum(['update', 'delete', 'transition', 'change-field', 'restore']),
  collection: z.string(),
  /** Id of the field that gets another kind. */
  field: z.string().nullable(),
  /** Ids of the fields it changes in the records. */
  fields: z.array(z.string()),
  /** Id of the state it moves them to. */
  to: z.string().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** How many records were found when it began; null until they are counted. */
  total: z.number().nullable(),
  /** How many it has changed, deleted, converted or restored. */
  done: z.number(),
  /** Records it left as they are because they were refused. */
  refused: z.array(skippedRecords),
  /** A sentence for people when it failed; what was done until then stays done, but a field stays as it was. */
  failure: z.string().nullable(),
  /** How many values had no place in the new kind of a field, or could not be restored; null unless it does that. */
  lost: z.number().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})

/** The parsed form. */
export type JobBody = z.infer<typeof jobBody>

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/jobs',
  summary:
    'List the jobs of a collection: your own, and field changes if you manage it. Without a collection: your own jobs in all collections, including those that ended within a day.',
  query: z.strictObject({ collection: z.string().optional() }),
  response: z.object({ items: z.array(jobBody) }),
})

const jobParams = z.object({ job: z.string() })

export const readJob = endpoint({
  method: 'GET',
  path: '/api/jobs/:job',
  summary: 'Get a job and its progress. Available to the user who started it and to workspace managers.',
  params: jobParams,
  response: jobBody,
  problems: ['not-found'],
})

export const cancelJob = endpoint({
  method: 'DELETE',
  path: '/api/jobs/:job',
  summary: 'Cancel a job. Returns what it has done so far, which is kept; a field type change is rolled back.',
  params: jobParams,
  response: jobBody,
  problems: ['not-found'],
})
