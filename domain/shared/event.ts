import type { CollectionId, RecordId } from './ids.ts'

export type Event =
  | { readonly type: 'records-changed'; readonly collection: CollectionId; readonly records: readonly RecordId[] }
  | { readonly type: 'definitions-changed' }
  /** Values of lookups, counts or rollups have to be calculated in the background. */
  | { readonly type: 'recalculation-requested' }
  /** A shared view was created, changed or deleted. */
  | { readonly type: 'views-changed'; readonly collection: CollectionId }
