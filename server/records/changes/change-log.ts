import type { CollectionRecord } from '#domain/records/record.ts'
import type { Json } from '#domain/shared/json.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'

/** The kinds of change there are. */
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
  | 'records-imported'
  | 'import-undone'
  | 'view-created'
  | 'view-changed'
  | 'view-deleted'

/** A change log entry with values before and after, by field id. */
export type Change = {
  readonly kind: ChangeKind
  readonly collection: CollectionId | null
  readonly record: RecordId | null
  readonly before: Json | null
  readonly after: Json | null
  /** The author's comment. */
  readonly note?: string
  /** For a deleted record: what restores it besides its values. */
  readonly recordMeta?: RecordMeta
}

/** What a record carries besides its id and values; `importId` is the import that created it. */
export type RecordMeta = Pick<CollectionRecord, 'version' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'> & {
  readonly importId: string | null
}

/** An entry as it is stored. */
export type LoggedChange = Change & {
  readonly id: string
  readonly at: string
  readonly userId: UserId | null
  readonly changeSet: string | null
}
