import type { CollectionId, RecordId } from '../shared/ids.ts'

/** Something that happened, told after it was safely stored. */
export type Event =
  | { readonly type: 'records-changed'; readonly collection: CollectionId; readonly records: readonly RecordId[] }
  | { readonly type: 'definitions-changed' }
  /** Somebody made, changed or removed a shared view. */
  | { readonly type: 'views-changed'; readonly collection: CollectionId }
