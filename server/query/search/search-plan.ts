import type { RawBuilder, SqlBool } from 'kysely'
import type { SearchTerm } from '#domain/query/list/search.ts'

/** One place where numbers of rows come from, on SQLite. */
export type Branch = {
  readonly number: RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<SqlBool>
  /** Whether they come in order as they are found: then a page of them ends early. */
  readonly isOrdered: boolean
  /** Whether a bound of the numbers bounds the work: not where trigrams are listed one after another. */
  readonly isBounded: boolean
}

/** The rows that hold some terms of a search, found by its indexes instead of row by row. */
export type Hits = {
  readonly branches: readonly Branch[]
  readonly terms: ReadonlySet<SearchTerm>
  readonly isOrdered: boolean
}

/** How the search of one query is answered. */
export type SearchPlan = {
  /** What a row must pass besides the filter, in the place of the search's own conditions. */
  readonly conditions: readonly RawBuilder<SqlBool>[]
  /** What the rows are read from, where it is not the table itself. */
  readonly from: RawBuilder<unknown> | null
  /** Rows found by the indexes, to be walked in order or counted; `conditions` say what of them is left to look at. */
  readonly hits: Hits | null
  /** What the hits are counted by instead, where indexes tell of each whether it passes, and no row has to be read. */
  readonly counted?: readonly RawBuilder<SqlBool>[] | undefined
}
