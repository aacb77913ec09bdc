import { z } from 'zod'
import { HISTORY_KINDS } from '#domain/records/record-history.ts'
import { endpoint, wholeNumber } from './endpoint.ts'
import { CHANGE_SOURCES } from './history.ts'

export const recordChange = z.object({
  id: z.string(),
  at: z.string(),
  /** ID of the user; null: the system. */
  user: z.string().nullable(),
  /** null if the change was made before version 0.3. */
  via: z.enum(CHANGE_SOURCES).nullable(),
  /** null if the change set isn't known; of an import, its ID. */
  changeSet: z.string().nullable(),
  kind: z.enum([...HISTORY_KINDS, 'imported']),
  /** ID of the collection. */
  collection: z.string(),
  /** ID of the record; null for an import, which created any number of records. */
  record: z.string().nullable(),
  /** Names of the changed fields that you can read; empty unless the record was changed or moved. */
  fields: z.array(z.string()),
})

export type RecordChange = z.infer<typeof recordChange>

export const listChanges = endpoint({
  method: 'GET',
  path: '/api/changes',
  cost: 'high',
  summary:
    'List changes of records in the order in which they were saved, for programs that synchronize data. Pass `next` as `after` to continue: no change is missed or repeated. Changes contain no values; get the record. An import is one change without a record; list the collection again. After a backup is restored, `after` returns 410: synchronize again from the start.',
  query: z.strictObject({
    /** `next` of the previous response, or `now` for a response without items. */
    after: z.string().max(120).optional(),
    /** Collection ID or name. */
    collection: z.string().max(60).optional(),
    limit: wholeNumber.pipe(z.number().min(1).max(500)).default(100),
  }),
  response: z.object({
    items: z.array(recordChange),
    next: z.string(),
    /** Whether there were no more changes. Otherwise, continue at once; a page can be empty although there are more. */
    isComplete: z.boolean(),
  }),
  problems: ['collection-not-found', 'invalid-cursor', 'gone'],
})
