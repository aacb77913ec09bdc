import type { Field } from '#domain/fields/field.ts'
import type { CheckedGroupQuery, RecordGroup } from '#domain/query/list/group.ts'
import { type RowPage, selectGroups } from '#server/query/run/run-records-query.ts'
import { createBackgroundQueue } from '#server/platform/concurrency/background-queue.ts'
import { createResultCache, type RecordUpdate, type ResultCacheDeps } from './result-cache.ts'

import { createPageCache } from './page-index/page-cache.ts'
import { type Counted, type CountMode, createCountCache } from './count-cache.ts'
import { membershipChange } from '#domain/query/list/evaluate-change.ts'
import { leafOf } from '#domain/query/check/checked-filter.ts'
import type { SortPart } from '#domain/query/list/sort.ts'
import { EMPTY_SNAPSHOT } from '#server/platform/database/database.ts'
import { cacheSubjectOf, type Listing, type ListSubject } from './cache-subject.ts'

/** The groups of a list, and how many there are in all. */
type Groups = { readonly groups: readonly RecordGroup[]; readonly total: number }

const MAX_ENTRIES = 200
const MAX_BYTES = 16 * 1024 * 1024

/** Finds groups, and keeps each page of them until a record of the list changes. */
function createGroupCache(deps: ResultCacheDeps) {
  const kept = createResultCache<ListSubject, Groups>(deps, {
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
    // A change notified from now on counts as unseen, which is at worst too careful.
    return (await kept.read(about, async () => ({ value: await read(), view: EMPTY_SNAPSHOT }))) ?? read()
  }
}

/** What figures read besides the keys: a field that is there in some records only may depend on other records. */
const aggregateParts = ({ aggregates }: CheckedGroupQuery): readonly SortPart[] =>
  aggregates.flatMap((each) => {
    if (each.type === 'count' || each.readable === null) return []
    return { steps: [], leaf: leafOf(each.field, each.readable), keyType: 'value', isDescending: false }
  })

/** Records that neither were nor are in the list leave its groups as they are. */
function groupsAfterChange(groups: Groups, { change }: RecordUpdate, { list }: ListSubject): Groups | undefined {
  const crossing = membershipChange(list, change)
  return crossing && !crossing.was && !crossing.is ? groups : undefined
}

const BYTES_PER_CHARACTER = 2

const bytesOf = (groups: Groups): number => JSON.stringify(groups).length * BYTES_PER_CHARACTER

/** What is known of lists without reading them again: where their places are, how long they are, their groups. */
export type ListCache = {
  /** A page, wherever in the list it lies. */
  readonly page: (listing: Listing, fields?: readonly Field[]) => Promise<RowPage>
  /** How many records the list has: to its end, or exactly up to the cap. */
  readonly total: (listing: Listing, mode: CountMode) => Promise<Counted>
  /** The length of a list if known; otherwise it is counted in the background for the next request. */
  readonly glance: (listing: Listing) => Promise<number | undefined>
  readonly groups: (listing: Listing, grouping: CheckedGroupQuery) => Promise<Groups>
  /** Waits until nothing runs in the background. */
  readonly atRest: () => Promise<void>
  /** Begins nothing more in the background. */
  readonly close: () => void
}

/** What the memory of lists is opened with. */
export type ListCacheDeps = Omit<ResultCacheDeps, 'line'> & {
  /** Receives errors of background work. */
  readonly report: (error: unknown) => void
  /** Resolves when all commits of other processes were processed. */
  readonly catchUp?: () => Promise<void>
}

/** Opens the memory of lists. */
export function createListCache({ catchUp = () => Promise.resolve(), ...deps }: ListCacheDeps): ListCache {
  const line = createBackgroundQueue(deps.report)
  const keepers: ResultCacheDeps = { feed: deps.feed, nowMs: deps.nowMs, line }
  const totals = createCountCache(keepers)
  const groups = createGroupCache(keepers)
  return {
    page: createPageCache(keepers),
    // A client that wrote through another process finds its change counted here.
    total: (...asked) => catchUp().then(() => totals.total(...asked)),
    glance: (...asked) => catchUp().then(() => totals.glance(...asked)),
    groups: (...asked) => catchUp().then(() => groups(...asked)),
    atRest: line.atRest,
    close: line.close,
  }
}
