import { z } from 'zod'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { endpoint } from './endpoint.ts'
import { filterInput } from './filters.ts'
import { valuesInput } from './records.ts'

/** Maximum number of records changed in one transaction (specification); larger changes run as a job. */
export const MAX_AT_ONCE = 10_000

export const selectedRecords = z.array(z.string().regex(ID_PATTERN)).max(MAX_AT_ONCE)

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

const where = z.strictObject({
  filter: filterInput.optional(),
  search: z.string().max(500).optional(),
  /** Limits the query to these records. */
  only: selectedRecords.optional(),
  except: z.array(z.string()).max(MAX_AT_ONCE).default([]),
})

export type BulkByList = z.output<typeof bulkByList>

const lists = z.record(z.string(), z.array(z.unknown()).min(1).max(500)).default({})

const bulkByWhere = z
  .strictObject({
    where,
    /** `values` replaces field values; `add` and `take` add or remove individual list entries. */
    update: z.strictObject({ values: valuesInput.default({}), add: lists, take: lists }).optional(),
    /** Changes the status of records for which the transition is available; other records are skipped. */
    transition: z.strictObject({ to: z.string(), note: z.string().max(10_000).optional() }).optional(),
    delete: z.literal(true).optional(),
    /**
     * `leave`: skips and reports rejected records; `refuse`: fails the request if any record is rejected. Jobs always
     * skip.
     */
    refused: z.enum(['refuse', 'leave']).default('refuse'),
    /** Returns the previous values that the actor can read, to support undo. Not supported for jobs. */
    remember: z.literal(true).optional(),
    /** Maximum number of records to delete; if more match, the request fails and returns their `count`. */
    expected: z.number().int().min(0).optional(),
  })
  .refine((body) => [body.update, body.transition, body.delete].filter((one) => one !== undefined).length === 1, {
    error: 'Set exactly one of “update”, “transition” and “delete” with “where”',
  })

export type BulkByWhere = z.output<typeof bulkByWhere>

export const skippedRecords = z.object({
  message: z.string(),
  count: z.number(),
  /** IDs of the first affected records. */
  records: z.array(z.string()),
})

/** Previous values of the changed fields, and the new record version. */
const beforeBody = z.object({ id: z.string(), version: z.number(), values: z.record(z.string(), z.unknown()) })

export type BeforeBody = z.infer<typeof beforeBody>

const bulkResult = z.object({
  created: z.array(z.string()),
  updated: z.number(),
  deleted: z.number(),
  refused: z.array(skippedRecords).optional(),
  /** Present only if `remember` was set. */
  before: z.array(beforeBody).optional(),
  /** Absent if nothing was changed. To undo the change, use `POST /api/change-sets/:changeSet/undo`. */
  changeSet: z.string().optional(),
})

export type ChangedBody = z.infer<typeof bulkResult>

export const bulkChange = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records/bulk',
  cost: 'high',
  summary:
    'Create, update or delete up to 10,000 records, listed by ID or matched by a query, in one transaction. Errors identify the records that failed. If a query matches more than 10,000 records, returns 202 with a job that changes them in batches, skipping and reporting records that fail.',
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
    'Count the records that match a query, limited to `where.only` if set. With `delete`, counts the records that a bulk deletion would delete.',
  params: z.object({ collection: z.string() }),
  body: z.strictObject({ where, delete: z.literal(true).optional() }),
  response: z.object({ count: z.number() }),
  problems: ['collection-not-found', 'invalid-filter', 'invalid-search', 'forbidden'],
})

/** A job runs in batches, each applied atomically. */
export const jobBody = z.object({
  id: z.string(),
  does: z.enum(['update', 'delete', 'transition', 'change-field', 'restore']),
  collection: z.string(),
  field: z.string().nullable(),
  /** IDs of the fields that the job changes. */
  fields: z.array(z.string()),
  to: z.string().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** Number of matching records when the job started; null until counted. */
  total: z.number().nullable(),
  /** Number of records changed, deleted, converted or restored. */
  done: z.number(),
  refused: z.array(skippedRecords),
  /** Error message. Completed batches are kept, unless the job changes a field's type. */
  failure: z.string().nullable(),
  /** Number of values lost in a type change or restore; null for other jobs. */
  lost: z.number().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})

export type JobBody = z.infer<typeof jobBody>

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/jobs',
  summary:
    'List the jobs of a collection: your own, and field type changes if you manage it. Without `collection`, lists your own jobs in all collections, including those that ended in the last 24 hours.',
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
  summary:
    'Cancel a job and return its progress. Completed changes are kept, except that a field type change is rolled back.',
  params: jobParams,
  response: jobBody,
  problems: ['not-found'],
})
