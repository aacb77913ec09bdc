import type { Collection } from '#domain/collections/collection.ts'
import type { LinkedNameOrder } from '#domain/query/list/sort.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { CommitSnapshot } from '#server/platform/database/database.ts'

export type LinkedTarget = {
  readonly key: readonly KeyValue[]
  readonly ids: readonly string[]
  readonly isEmpty: boolean
}

export type LinkedTargets = readonly LinkedTarget[] | null

export type LinkedTargetsQuery = { readonly collection: Collection; readonly order: LinkedNameOrder }

export type LinkedTargetsSnapshot = { readonly value: LinkedTargets; readonly view: CommitSnapshot }

export type CacheLinkedTargets = (
  asked: LinkedTargetsQuery,
  read: () => Promise<LinkedTargetsSnapshot>,
) => Promise<LinkedTargets | undefined>
