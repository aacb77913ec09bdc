import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { type CheckedSearch, type SearchTerm, searchOf } from '#domain/query/list/search.ts'
import { compileNode } from '#server/query/compile/compile-filter.ts'
import { conditionListOf } from '#server/query/compile/compile-conditions.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import type { SearchPlan } from './search-plan.ts'
import type { Condition, SqlOptions } from '#server/query/sql/sql-context.ts'

export type SearchPurpose = 'page' | 'count' | 'groups'

export type SearchRequest = {
  readonly scope: QueryScope
  readonly query: CheckedRecordsQuery
  readonly setting: SqlOptions
  readonly use: SearchPurpose
}

export const filterConditions = ({ query, setting }: SearchRequest): readonly Condition[] =>
  conditionListOf({ ...query, search: searchOf([]) }, { ...setting, level: 0 })

export const remainingConditions = (
  { terms }: CheckedSearch,
  setting: SqlOptions,
  known: ReadonlySet<SearchTerm> = new Set(),
): readonly Condition[] =>
  terms
    .filter((term) => !known.has(term))
    .map(({ places }) => compileNode({ type: 'any', of: places }, { ...setting, level: 0 }))

export const rowScanPlan = ({ query, setting }: SearchRequest): SearchPlan => ({
  conditions: remainingConditions(query.search, setting),
  from: null,
  hits: null,
})
