import { z } from 'zod'
import { selectedRecords, skippedRecords } from './bulk.ts'
import { collectionBody } from './collections.ts'
import { endpoint, wholeNumber } from './endpoint.ts'
import { personBody, recordBody } from './records.ts'

export const trashedRecord = z.object({
  collection: z.string(),
  /** The record as it was, without what you can’t read. */
  record: recordBody,
  deletedAt: z.string(),
  /** null: the system. The name is omitted if the user was deleted. */
  deletedBy: personBody.partial({ name: true }).nullable(),
  /** When it is deleted permanently. */
  expiresAt: z.string(),
})

export type TrashedRecord = z.infer<typeof trashedRecord>

export const listTrash = endpoint({
  method: 'GET',
  path: '/api/trash',
  summary: 'List deleted records that can be restored, last deleted first.',
  query: z.strictObject({
    /** Collection ID or name; all collections if omitted. */
    collection: z.string().max(60).optional(),
    /** All words must occur in the record’s text. */
    search: z.string().trim().max(200).optional(),
    /** `next` of the previous page. */
    before: z.string().max(40).optional(),
    perPage: wholeNumber.pipe(z.number().min(1).max(100)).default(50),
  }),
  response: z.object({
    items: z.array(trashedRecord),
    /** null if there are no older entries. A page can be empty although there are older entries. */
    next: z.string().nullable(),
  }),
  problems: ['collection-not-found'],
})

export const restoreFromTrash = endpoint({
  method: 'POST',
  path: '/api/trash/restore',
  cost: 'high',
  summary:
    'Restore deleted records with their IDs, values, files and incoming links. Requires permission to create or update them. Records that can’t be restored are listed.',
  body: z.strictObject({ records: selectedRecords }),
  response: z.object({
    restored: z.number(),
    refused: z.array(skippedRecords).optional(),
    /** Records restored without some of their values, because what they contained no longer exists. */
    lost: z.array(skippedRecords).optional(),
  }),
})

export const deletePermanently = endpoint({
  method: 'POST',
  path: '/api/trash/delete',
  cost: 'high',
  summary: 'Remove records from the trash, so that they can’t be restored. Requires permission to delete them.',
  body: z.strictObject({ records: selectedRecords }),
  response: z.object({ deleted: z.number() }),
})

const deletedDefinition = z.object({
  id: z.string(),
  kind: z.enum(['field', 'collection']),
  label: z.string(),
  /** Label of the collection. */
  collection: z.string(),
  deletedAt: z.string(),
  /** null: the system. The name is omitted if the user was deleted. */
  deletedBy: personBody.partial({ name: true }).nullable(),
  /** When it is deleted permanently. */
  expiresAt: z.string(),
})

export type DeletedDefinition = z.infer<typeof deletedDefinition>

export const listDeletedDefinitions = endpoint({
  method: 'GET',
  path: '/api/trash/definitions',
  summary:
    'List deleted fields and collections that can be restored, last deleted first. Lists only those you can manage.',
  response: z.object({ items: z.array(deletedDefinition) }),
})

const definitionParams = z.object({ definition: z.string().max(60) })

export const restoreDefinition = endpoint({
  method: 'POST',
  path: '/api/trash/definitions/:definition/restore',
  cost: 'high',
  summary:
    'Restore a deleted field or collection with its values, views and files. Links to records deleted since are removed. If its name is in use, it gets another one.',
  params: definitionParams,
  response: collectionBody,
  problems: ['not-found', 'definition-invalid', 'in-use'],
})

export const deleteDefinitionPermanently = endpoint({
  method: 'DELETE',
  path: '/api/trash/definitions/:definition',
  cost: 'high',
  summary: 'Delete a field or collection in the trash permanently, with its values and files.',
  params: definitionParams,
  response: 'empty',
  status: 204,
  problems: ['not-found'],
})

const trashSettings = z.strictObject({
  days: z.int().min(1).max(3650).describe('Days after which deleted records are removed from the trash.'),
  historyDays: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .describe('Days after which changes are removed from the history, at least as many as `days`; null: never.'),
})

export const readTrashSettings = endpoint({
  method: 'GET',
  path: '/api/workspace/trash',
  summary: 'Get how long deleted records stay in the trash, and changes in the history.',
  response: trashSettings,
})

export const changeTrashSettings = endpoint({
  method: 'PATCH',
  path: '/api/workspace/trash',
  summary:
    'Change how long deleted records stay in the trash, and changes in the history. A shorter time also applies to existing ones.',
  body: trashSettings.partial(),
  response: trashSettings,
  problems: ['values-invalid'],
})
