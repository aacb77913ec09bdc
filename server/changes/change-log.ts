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
  | 'records-imported'
  | 'import-undone'
  | 'view-created'
  | 'view-changed'
  | 'view-deleted'

/** One entry of the change log: what was before and what is after. Values stand by field id. */
export type Change = {
  readonly kind: ChangeKind
  readonly collection: CollectionId | null
  readonly record: RecordId | null
  readonly before: Json | null
  readonly after: Json | null
  /** What whoever did it wrote about it. */
  readonly note?: string
}

/** An entry as it is stored. */
export type LoggedChange = Change & { readonly id: string; readonly at: string; readonly userId: UserId | null }
