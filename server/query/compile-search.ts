import type { CheckedSearch } from '#domain/query/search.ts'
import { compileNode } from './compile-filter.ts'
import type { Condition, SqlPlace } from './sql-place.ts'

/**
 * A search as conditions: for each of its terms, that one of the searched fields contains it. A full-text index per
 * collection would answer here, before the terms are looked for one by one.
 */
export function compileSearch({ terms, where }: CheckedSearch, place: SqlPlace): readonly Condition[] {
  return terms.length === 0 ? [] : [compileNode(where, place)]
}
