import { type RawBuilder, sql } from 'kysely'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import type { SearchTerm } from '#domain/query/list/search.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import { allOf, column, rowAt, rowsOf, SEQ_COLUMN } from '#server/query/sql/sql-context.ts'
import { lookUp, withoutUnmatchedNames } from './resolve-search.ts'
import { hitNumbers, hitsOf, isOwnText } from './search-hits.ts'
import type { Hits } from './search-plan.ts'
import { filterConditions, type SearchRequest } from './search-request.ts'

/**
 * Leaves out the searches that have no hits according to the full-text indexes on SQLite, because a lookup costs much
 * less than planning and running a search. A search that the indexes can't decide is kept.
 */
export async function withPossibleHits<Search extends { readonly query: CheckedRecordsQuery }>(
  scope: QueryScope,
  searches: readonly Search[],
): Promise<readonly Search[]> {
  const { dialect, pendingImports, reader, searchParts: parts } = scope
  if (dialect === 'postgres' || !parts) return searches
  const setting = { dialect, pendingImports }
  const checked = searches.map(({ query }) => query.search)
  const terms = await withoutUnmatchedNames(checked, { reader, setting, parts })
  const lookups = searches.flatMap(({ query }, at) => {
    const { id } = query.collection
    const own = { collection: id, parts: parts.get(id) ?? [], setting }
    // Rows that aren't indexed yet would have to be scanned.
    const [hits] = own.parts.some(({ gap }) => gap !== null) ? [] : hitsOf(textTermsOf(terms[at] ?? []), own)
    return hits ? { name: id, select: visibleHits(hits, { scope, query, setting, use: 'page' }) } : []
  })
  const withoutHits = await lookUp(reader, lookups, 0)
  const canOccur = (at: number): boolean => terms[at]?.every(({ places }) => places.length > 0) === true
  return searches.filter(({ query }, at) => canOccur(at) && !withoutHits.has(query.collection.id))
}

/** The terms that can occur only in the collection's own texts. */
const textTermsOf = (terms: readonly SearchTerm[]): readonly SearchTerm[] =>
  terms.filter(({ places }) => places.length > 0 && places.every(isOwnText))

/** Hits in hidden records are left out, because the time of a search without results would reveal them. */
function visibleHits(hits: Hits, request: SearchRequest): RawBuilder<unknown> {
  const conditions = filterConditions(request)
  const found = sql`select hits.at as id from (${hitNumbers(hits)}) as hits`
  if (conditions.length === 0) return found
  const rows = rowsOf(request.query.collection.id, 0)
  return sql`${found} cross join ${rows} on ${column(rowAt(0), SEQ_COLUMN)} = hits.at where ${allOf(conditions)}`
}
