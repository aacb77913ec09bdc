import { membershipChange } from '#domain/query/evaluate-change.ts'
import { leafOf } from '#domain/query/checked-filter.ts'
import type { CheckedGroupQuery, RecordGroup } from '#domain/query/group.ts'
import type { SortPart } from '#domain/query/sort.ts'
import { EMPTY_SNAPSHOT } from '#server/platform/database/commit-visibility.ts'
import { selectGroups } from '#server/query/run/run-records-query.ts'
import { type ResultCacheDeps, type RecordUpdate, createResultCache } from './result-cache.ts'
import type { Listing } from './listing.ts'
import { type ListSubject, cacheSubjectOf } from './cache-subject.ts'

/** The groups of a list, and how many there are in all. */
export type Groups = { readonly groups: readonly RecordGroup[]; readonly total: number }

const MAX_ENTRIES = 200
const MAX_BYTES = 16 * 1024 * 1024

/** Finds groups, and keeps each page of them until a record of the list changes. */
export function createGroupCache(needs: ResultCacheDeps) {
  const kept = createResultCache<ListSubject, Groups>(needs, {
    follow: groupsAfterChange,
    bytesOf,
    mostEntries: MAX_ENTRIES,
    mostBytes: MAX_BYTES,
  })

  return async (listing: Listing, grouping: CheckedGroupQuery): Promise<Groups> => {
    const { scope, query } = listing
    const { parts, aggregates, offset, limit } = grouping
    const by = grouping.by.map(({ name }) => name)
    const about = cacheSubjectOf(listing, [...parts, ...aggregateParts(grouping)], by, aggregates, offset, limit)
    const read = () => selectGroups(scope, query, grouping)
    // Any change that is told from now on counts as not seen, which is wrong at most on the careful side.
    return (await kept.read(about, async () => ({ value: await read(), view: EMPTY_SNAPSHOT }))) ?? read()
  }
}

/** What figures read besides the keys: a field that is there in some records only may depend on other records. */
const aggregateParts = ({ aggregates }: CheckedGroupQuery): readonly SortPart[] =>
  aggregates.flatMap((each) => {
    if (each.type === 'count' || each.readable === null) return []
    return { steps: [], leaf: leafOf(each.field, each.readable), take: 'value', isDescending: false }
  })

/** Records that neither were nor are in the list leave its groups as they are. */
function groupsAfterChange(groups: Groups, { change }: RecordUpdate, { list }: ListSubject): Groups | undefined {
  const crossing = membershipChange(list, change)
  return crossing && !crossing.was && !crossing.is ? groups : undefined
}

const BYTES_PER_CHARACTER = 2

const bytesOf = (groups: Groups): number => JSON.stringify(groups).length * BYTES_PER_CHARACTER
