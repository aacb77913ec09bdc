import type { CollectionRecord } from '#domain/records/record.ts'
import type { Json } from '#domain/shared/json.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'

export type ChangeKind =
  | 'collection-created'
  | 'collection-changed'
  | 'collection-deleted'
  | 'collections-arranged'
  | 'record-created'
  | 'record-changed'
  | 'record-moved'
  | 'record-deleted'
  | 'record-restored'
  /** An entry whose values were erased. */
  | 'record-erased'
  | 'records-imported'
  | 'import-undone'
  | 'view-created'
  | 'view-changed'
  | 'view-deleted'
  | 'dashboard-created'
  | 'dashboard-shared'
  | 'dashboard-changed'
  | 'dashboard-unshared'
  | 'dashboard-deleted'

export type Change = {
  readonly kind: ChangeKind
  readonly collection: CollectionId | null
  readonly record: RecordId | null
  readonly before: Json | null
  readonly after: Json | null
  readonly note?: string
  readonly recordMeta?: RecordMeta
}

export type RecordMeta = Pick<CollectionRecord, 'version' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'> & {
  readonly importId: string | null
}

export type LoggedChange = Change & {
  readonly id: string
  readonly at: string
  readonly userId: UserId | null
  readonly changeSet: string
}

/** Name of the log's ID in the `workspace` table. A restored log has a new ID, because its entries may be in another order. */
export const CHANGE_LOG_ID = 'change-log-id'

/** How a change set was made. */
export type ChangeSource = 'web' | 'token' | 'import' | 'job' | 'restore' | 'cli'

/** The changes of one request, import, job or undo. */
export type ChangeSet = {
  readonly id: string
  readonly at: string
  readonly userId: UserId | null
  readonly via: ChangeSource
  /** ID of the API token, import or job. */
  readonly sourceId: string | null
  readonly undoes: string | null
  /** Whether it only deletes records, and the links to them. */
  readonly isDeletion: boolean
  readonly idempotencyKey: string | null
}

/** What a write says about its change set; the actor determines the rest. Writes with the same ID form one set. */
export type ChangeSetDetails = Partial<Omit<ChangeSet, 'at' | 'userId'>>
