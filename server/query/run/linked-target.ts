import type { Collection } from '#domain/collections/collection.ts'
import type { LinkedNameOrder } from '#domain/query/list/sort.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { CommitSnapshot } from '#server/platform/database/database.ts'

/** Things of one name: the ids by which rows point at them; `isEmpty` where rows that point at nothing stand with them. */
export type LinkedTarget = {
  readonly key: readonly KeyValue[]
  readonly ids: readonly string[]
  readonly isEmpty: boolean
}

/** All things that the rows of a collection point at, in the order of their names; null where there are too many. */
export type LinkedTargets = readonly LinkedTarget[] | null

/** By what they are pointed at, and ordered. */
export type LinkedTargetsQuery = { readonly collection: Collection; readonly order: LinkedNameOrder }

/** Things as they were read, and which commits that had seen. */
export type LinkedTargetsSnapshot = { readonly value: LinkedTargets; readonly view: CommitSnapshot }

/** The things that are asked for: as they are known, else as they are read. */
export type CacheLinkedTargets = (
  asked: LinkedTargetsQuery,
  read: () => Promise<LinkedTargetsSnapshot>,
) => Promise<LinkedTargets | undefined>
