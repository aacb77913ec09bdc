import type { CollectionId, RecordId } from './ids.ts'

/** A domain event, published after its change was committed. */
export type Event =
  | { readonly type: 'records-changed'; readonly collection: CollectionId; readonly records: readonly RecordId[] }
  | { readonly type: 'definitions-changed' }
  /** Somebody made, changed or removed a shared view. */
  | { readonly type: 'views-changed'; readonly collection: CollectionId }
