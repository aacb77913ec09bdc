import type { RawBuilder, SqlBool } from 'kysely'
import type { SearchTerm } from '#domain/query/list/search.ts'
import type { CollectionId } from '#domain/shared/ids.ts'

/** A way to find hits: the row numbers in `from` that pass `where`. */
export type Branch = {
  readonly number: RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<SqlBool>
  /** What the row `r0` of a candidate must meet; absent if the candidates are the hits. */
  readonly holds?: RawBuilder<SqlBool>
  /** Whether hits are found in order, so that reading can stop when the page is full. */
  readonly isOrdered: boolean
  /** Whether restricting the row numbers reduces the work; false if trigrams are read one after another. */
  readonly isBounded: boolean
}

export type Hits = {
  readonly collection: CollectionId
  readonly branches: readonly Branch[]
  readonly terms: ReadonlySet<SearchTerm>
  readonly isOrdered: boolean
  /** Whether no row is found twice. */
  readonly isDistinct: boolean
}

export type SearchPlan = {
  readonly conditions: readonly RawBuilder<SqlBool>[]
  readonly from: RawBuilder<unknown> | null
  readonly hits: Hits | null
  readonly counted?: readonly RawBuilder<SqlBool>[] | undefined
}
