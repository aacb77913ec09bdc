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
  | 'records-imported'
  | 'import-undone'
  | 'view-created'
  | 'view-changed'
  | 'view-deleted'

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
  readonly changeSet: string | null
}
