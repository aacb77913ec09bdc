import { seal } from '#domain/query/check-filter.ts'
import type { CheckedComparison } from '#domain/query/checked-filter.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { NO_SEARCH } from '#domain/query/search.ts'
import { endWithId } from '#domain/query/sort.ts'
import { conjunctsOf, indexForCondition } from '#domain/query/index-selection.ts'
import { isListLeaf } from '#server/query/sql/leaf-columns.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'

/** Rows that hold a choice, somebody or a relation are found by reading all of them, without an index: that is slow, in ms. */
const FULL_SCAN_MS = 50

/**
 * Tells whoever keeps indexes that rows are looked for by what a word of a search stands for: an index for such a field
 * is wanted as if the list were filtered by it.
 */
export function recordSlowSearch({ noteAsked }: QueryScope, query: CheckedRecordsQuery): void {
  if (!noteAsked) return
  const pointed = query.search.terms.flatMap(({ places }) => places.filter(isOwnPointer))
  for (const place of new Map(pointed.map((each) => [each.leaf, each])).values()) {
    const filtered = { ...query, where: seal(withOneValue(place)), search: NO_SEARCH, sort: endWithId([]) }
    noteAsked({ query: filtered, tookMs: FULL_SCAN_MS })
  }
}

/** Tells them that the rows of many hits were read for what an index of each condition of the filter would have told. */
export function recordSlowCount({ noteAsked }: QueryScope, query: CheckedRecordsQuery, tookMs: number): void {
  const nodes = conjunctsOf(query.where)
  if (!noteAsked || !nodes.every((node) => indexForCondition(node) !== null)) return
  for (const node of nodes) {
    if (node.type !== 'compare') continue
    const where = seal(withOneValue({ ...node, isNegated: false }))
    noteAsked({ query: { ...query, where, search: NO_SEARCH, sort: endWithId([]) }, tookMs })
  }
}

/** The same index serves one value and many. */
const withOneValue = (place: CheckedComparison): CheckedComparison =>
  place.test.is === 'oneOf' ? { ...place, test: { is: 'oneOf', values: place.test.values.slice(0, 1) } } : place

/** Whether a place is a column of the record itself that holds ids; lists have an index of their own. */
const isOwnPointer = ({ steps, leaf, test }: CheckedComparison): boolean =>
  steps.length === 0 && test.is === 'oneOf' && leaf.type === 'field' && !isListLeaf(leaf)
