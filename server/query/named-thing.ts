import type { Collection } from '#domain/collections/collection.ts'
import type { NamedOrder } from '#domain/query/named-order.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { CommitView } from '#server/database/commit-mark.ts'

/** Things of one name: the ids by which rows point at them; `isEmpty` where rows that point at nothing stand with them. */
export type NamedThing = {
  readonly key: readonly KeyValue[]
  readonly ids: readonly string[]
  readonly isEmpty: boolean
}

/** All things that the rows of a collection point at, in the order of their names; null where there are too many. */
export type NamedThings = readonly NamedThing[] | null

/** By what they are pointed at, and ordered. */
export type ThingsAsked = { readonly collection: Collection; readonly order: NamedOrder }

/** Things as they were read, and which commits that had seen. */
export type SeenThings = { readonly value: NamedThings; readonly view: CommitView }

/** The things that are asked for: as they are known, else as they are read. */
export type KeepThings = (asked: ThingsAsked, read: () => Promise<SeenThings>) => Promise<NamedThings | undefined>
