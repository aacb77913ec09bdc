import type { RawBuilder } from 'kysely'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import type { CheckedSearch } from '#domain/query/search.ts'
import { compileNode } from './compile-filter.ts'
import { type Condition, type SqlContext, type SqlOptions, rowsOf } from '#server/query/sql/sql-context.ts'

/**
 * A search as conditions: for each of its terms, that one of the searched fields contains it. Where it was worked out how
 * the indexes answer it, the conditions are those that are left.
 */
export function compileSearch({ terms, where }: CheckedSearch, place: SqlContext): readonly Condition[] {
  if (place.search) return place.search.conditions
  return terms.length === 0 ? [] : [compileNode(where, place)]
}

/** What the rows of a list are read from. */
export const listRows = ({ collection }: CheckedRecordsQuery, { search }: SqlOptions): RawBuilder<unknown> =>
  search?.from ?? rowsOf(collection.id, 0)
