import { z } from 'zod'
import { HISTORY_KINDS } from '#domain/records/record-history.ts'
import { selectedRecords } from './bulk.ts'
import { endpoint, wholeNumber } from './endpoint.ts'
import { personBody, recordBody } from './records.ts'

export const CHANGE_SOURCES = ['web', 'token', 'import', 'job', 'restore', 'cli'] as const

/** `via`: null if the change was made before version 0.3. */
export const changeOrigin = {
  /** null: the system. The name is omitted if the user was deleted. */
  user: personBody.partial({ name: true }).nullable(),
  via: z.enum(CHANGE_SOURCES).nullable(),
  /** Name of the API token or imported file, if you may know it. */
  source: z.string().nullable(),
}

/** Values as in an expanded record. */
const fieldChange = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** Present if the field has a different type now, or an option was deleted: both values are text. */
  isText: z.literal(true).optional(),
})

export const historyEntryBody = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(HISTORY_KINDS),
  ...changeOrigin,
  note: z.string().nullable(),
  /** null if the change set isn't known. */
  changeSet: z.string().nullable(),
  /** The changed fields that you can read, in the record as it was and as it is. */
  changes: z.array(fieldChange),
})

export type HistoryEntryBody = z.infer<typeof historyEntryBody>

const recordParams = z.object({ collection: z.string(), record: z.string() })

export const listHistory = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/history',
  summary: 'List the changes of a record, newest first.',
  params: recordParams,
  query: z.strictObject({
    /** `next` of the previous page. */
    before: z.string().max(60).optional(),
    perPage: wholeNumber.pipe(z.number().min(1).max(100)).default(20),
    /** Only changes of this field. */
    field: z.string().max(100).optional(),
    /** Only changes by this user. */
    person: z.string().max(60).optional(),
  }),
  response: z.object({
    items: z.array(historyEntryBody),
    /** null if there are no older entries. A page can be empty although there are older entries. */
    next: z.string().nullable(),
  }),
  problems: ['collection-not-found', 'record-not-found'],
})

export const restoreVersion = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records/:record/history/:entry/restore',
  summary:
    'Restore values of a record: those from `before` or `after` a change. Without `fields`, restores all values that you can read and write. A status isn’t restored; use a transition.',
  params: recordParams.extend({ entry: z.string().max(60) }),
  body: z.strictObject({
    side: z.enum(['before', 'after']).default('after'),
    fields: z.array(z.string()).max(500).optional(),
    version: z.number().int().optional(),
  }),
  response: recordBody,
  problems: [
    'collection-not-found',
    'record-not-found',
    'not-found',
    'version-conflict',
    'values-invalid',
    'rule-broken',
    'field-frozen',
  ],
})

export const eraseHistory = endpoint({
  method: 'POST',
  path: '/api/history/erase',
  cost: 'high',
  summary:
    'Permanently erase the former values of records; for owners only. They can no longer be viewed, restored or undone. Records in the trash are deleted permanently. Current values and backups are unchanged.',
  body: z.strictObject({ records: selectedRecords }),
  response: z.object({ erased: z.number().describe('Number of records with a history.') }),
})
