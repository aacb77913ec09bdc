import { judgeCrossing } from '#domain/query/judge-change.ts'
import { leafOf } from '#domain/query/checked-filter.ts'
import type { CheckedGroupQuery, RecordGroup } from '#domain/query/group.ts'
import type { SortPart } from '#domain/query/sort.ts'
import { SAW_NOTHING } from '#server/database/commit-mark.ts'
import { selectGroups } from '#server/query/run-records-query.ts'
import { type KeeperNeeds, type Told, keptResults } from './kept-results.ts'
import type { Listing } from './listing.ts'
import { type ListSubject, subjectOf } from './subject-of.ts'

/** The groups of a list, and how many there are in all. */
export type Groups = { readonly groups: readonly RecordGroup[]; readonly total: number }

const MOST_PAGES_OF_GROUPS = 200
const MOST_BYTES = 16 * 1024 * 1024

/** Finds groups, and keeps each page of them until a record of the list changes. */
export function groupsKeeper(needs: KeeperNeeds) {
  const kept = keptResults<ListSubject, Groups>(needs, {
    follow: sameGroups,
    bytesOf,
    mostEntries: MOST_PAGES_OF_GROUPS,
    mostBytes: MOST_BYTES,
  })

  return async (listing: Listing, grouping: CheckedGroupQuery): Promise<Groups> => {
    const { scope, query } = listing
    const { parts, aggregates, offset, limit } = grouping
    const by = grouping.by.map(({ name }) => name)
    const about = subjectOf(listing, [...parts, ...figuresRead(grouping)], by, aggregates, offset, limit)
    const read = () => selectGroups(scope, query, grouping)
    // Any change that is told from now on counts as not seen, which is wrong at most on the careful side.
    return (await kept.read(about, async () => ({ value: await read(), view: SAW_NOTHING }))) ?? read()
  }
}

/** What figures read besides the keys: a field that is there in some records only may depend on other records. */
const figuresRead = ({ aggregates }: CheckedGroupQuery): readonly SortPart[] =>
  aggregates.flatMap((each) => {
    if (each.type === 'count' || each.readable === null) return []
    return { steps: [], leaf: leafOf(each.field, each.readable), take: 'value', isDescending: false }
  })

/** Records that neither were nor are in the list leave its groups as they are. */
function sameGroups(groups: Groups, { change }: Told, { list }: ListSubject): Groups | undefined {
  const crossing = judgeCrossing(list, change)
  return crossing && !crossing.was && !crossing.is ? groups : undefined
}

const BYTES_A_LETTER = 2

const bytesOf = (groups: Groups): number => JSON.stringify(groups).length * BYTES_A_LETTER
