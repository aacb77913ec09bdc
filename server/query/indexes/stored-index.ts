import type { IndexSpec } from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'

/** An index that the server made, or is making, by itself. */
export type StoredIndex = {
  readonly id: string
  readonly collection: CollectionId
  readonly spec: IndexSpec
  readonly state: 'building' | 'ready'
  readonly madeAt: string
  /** When a query last was quicker by it, to the hour or so. */
  readonly usedAt: string
}
