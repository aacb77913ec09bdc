import type { IndexSpec } from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'

export type StoredIndex = {
  readonly id: string
  readonly collection: CollectionId
  readonly spec: IndexSpec
  readonly state: 'building' | 'ready'
  readonly madeAt: string
  /** Time of the last use, about to the hour. */
  readonly usedAt: string
}
