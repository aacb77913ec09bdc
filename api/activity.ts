import { z } from 'zod'
import { DEFINITION_CHANGES } from '#domain/collections/definition-changes.ts'
import { skippedRecords } from './bulk.ts'
import { endpoint, wholeNumber } from './endpoint.ts'
import { CHANGE_SOURCES, changeOrigin } from './history.ts'

/** Changes of dashboards that are or were shared. */
export const DASHBOARD_KINDS = [
  'dashboard-created',
  'dashboard-shared',
  'dashboard-changed',
  'dashboard-unshared',
  'dashboard-deleted',
] as const

/** Changes of collections, including their fields, of saved views and of dashboards. */
export const DEFINITION_KINDS = [
  'collection-created',
  'collection-changed',
  'collection-deleted',
  'view-created',
  'view-changed',
  'view-deleted',
  ...DASHBOARD_KINDS,
] as const

export const ACTIVITY_KINDS = [
  'record-created',
  'record-changed',
  'record-moved',
  'record-deleted',
  'record-restored',
  'records-imported',
  ...DEFINITION_KINDS,
] as const

/**
 * What a change did to a definition. Changes of collections and views are shown to those who can manage the collection,
 * changes of dashboards to those who can see and edit the dashboard.
 */
const definitionPart = {
  /** Label of the collection; of a deleted one, its last label. Empty for changes of dashboards. */
  label: z.string(),
  /** Name of the saved view; present only for changes of views. */
  view: z.string().optional(),
  /** Name of the dashboard; present only for changes of dashboards. */
  dashboard: z.string().optional(),
  /** What was changed in the collection; present only for `collection-changed`. */
  changes: z
    .array(
      z.object({
        what: z.enum(DEFINITION_CHANGES),
        /** Label of the field; null if it isn't about a single field. */
        field: z.string().nullable(),
        /** Former and new label or field type; null for other changes. */
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    )
    .optional(),
}

/** What a change set did in one collection or to one dashboard, as far as you can read it. */
const activityPart = z.object({
  kind: z.enum(ACTIVITY_KINDS),
  /** ID of the collection; empty for changes of dashboards. */
  collection: z.string(),
  /** Number of records; null if it isn't known. */
  count: z.number().nullable(),
  /** Names of the changed fields. */
  fields: z.array(z.string()),
  /** The record, if there is only one and it still exists. */
  record: z.object({ id: z.string(), title: z.string() }).nullable(),
  ...definitionPart,
})

export type ActivityPart = z.infer<typeof activityPart>

const activityEntry = z.object({
  /** ID of the change set. */
  id: z.string(),
  at: z.string(),
  ...changeOrigin,
  parts: z.array(activityPart),
  /** ID of the change set that this one undoes. */
  undoes: z.string().nullable(),
  isUndone: z.boolean(),
})

export type ActivityEntry = z.infer<typeof activityEntry>

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/activity',
  cost: 'high',
  summary: 'List what was changed in the workspace, newest first. Each entry is one request, import, job or undo.',
  query: z.strictObject({
    /** Collection ID or name. */
    collection: z.string().max(60).optional(),
    /** Only changes by this user. */
    person: z.string().max(60).optional(),
    via: z.enum(CHANGE_SOURCES).optional(),
    kind: z.enum(ACTIVITY_KINDS).optional(),
    /** `next` of the previous page. */
    before: z.string().max(60).optional(),
    perPage: wholeNumber.pipe(z.number().min(1).max(100)).default(30),
  }),
  response: z.object({
    items: z.array(activityEntry),
    /** null if there are no older entries. A page can be empty although there are older entries. */
    next: z.string().nullable(),
  }),
  problems: ['collection-not-found'],
})

const undoneDefinition = z.object({
  kind: z.enum([
    'collection-deleted',
    'collection-restored',
    'collection-changed',
    'view-deleted',
    'view-restored',
    'view-changed',
    'dashboard-deleted',
    'dashboard-restored',
    'dashboard-changed',
    'dashboard-shared',
    'dashboard-unshared',
  ]),
  ...definitionPart,
})

export type UndoneDefinition = z.infer<typeof undoneDefinition>

const undoResult = z.object({
  /** Number of deleted records that were restored. */
  restored: z.number(),
  /** Number of records whose values were set back. */
  changed: z.number(),
  /** Number of created records that were deleted. */
  deleted: z.number(),
  /** Records that were changed since: their newer values are kept. */
  kept: z.array(skippedRecords).optional(),
  refused: z.array(skippedRecords).optional(),
  /** Restored records that lost values that are no longer valid. */
  lost: z.array(skippedRecords).optional(),
  /** What was undone in collections, fields, views and dashboards. */
  definitions: z.array(undoneDefinition).optional(),
  /** Absent if nothing was changed. To redo the change, undo this change set. */
  changeSet: z.string().optional(),
  /** Present only for a preview of a change set with more records than were examined. */
  examined: z.number().optional(),
})

export type UndoResult = z.infer<typeof undoResult>

export const undoChangeSet = endpoint({
  method: 'POST',
  path: '/api/change-sets/:changeSet/undo',
  cost: 'high',
  summary:
    'Undo a change set (idempotent): restores what it deleted, sets changed values back, and deletes what it created, as far as you have permission. Values that were changed since are kept. Changes of collections, fields, views and dashboards are undone as well, with the values that a field had before its type was changed; values edited since are converted back, or left empty if that isn’t possible. Deleted records can be restored while they are in the trash; they keep their IDs, files and incoming links. With `preview`, saves nothing. A large change set is undone by a job (202); if a job made the changes, use its ID as `changeSet`.',
  params: z.object({ changeSet: z.string().max(60) }),
  query: z.strictObject({ preview: z.literal('true').optional() }),
  response: z.union([undoResult, z.object({ job: z.string() })]),
  contentTypes: { 202: 'application/json' },
  problems: [
    'not-found',
    'gone',
    'change-running',
    'collection-not-found',
    'forbidden',
    'values-invalid',
    'definition-invalid',
    'name-taken',
    'in-use',
    'example-broken',
  ],
})
