import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { type CheckedSearch, type SearchTerm, searchOf } from '#domain/query/search.ts'
import { compileNode } from './compile-filter.ts'
import { conditionListOf } from './compile-records-query.ts'
import type { QueryScope } from './query-scope.ts'
import type { SearchPlan } from './search-plan.ts'
import type { Condition, SqlSetting } from './sql-place.ts'

/** What a query is run for. */
export type SearchUse = 'page' | 'count' | 'groups'

/** A query whose search is resolved, where it runs, and what for. */
export type AskedSearch = {
  readonly scope: QueryScope
  readonly query: CheckedRecordsQuery
  readonly setting: SqlSetting
  readonly use: SearchUse
}

/** The conditions of a query besides its search. */
export const filterOf = ({ query, setting }: AskedSearch): readonly Condition[] =>
  conditionListOf({ ...query, search: searchOf([]) }, { ...setting, level: 0 })

/** The conditions of terms that no index told about; of all terms, if none is known. */
export const leftOf = (
  { terms }: CheckedSearch,
  setting: SqlSetting,
  known: ReadonlySet<SearchTerm> = new Set(),
): readonly Condition[] =>
  terms
    .filter((term) => !known.has(term))
    .map(({ places }) => compileNode({ type: 'any', of: places }, { ...setting, level: 0 }))

/** Every row is looked into, in whatever way the filter and the order lead to it. */
export const lookingAtRows = ({ query, setting }: AskedSearch): SearchPlan => ({
  conditions: leftOf(query.search, setting),
  from: null,
  hits: null,
})
