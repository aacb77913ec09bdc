import type { Field } from '#domain/fields/field.ts'
import type { CheckedGroupQuery, RecordGroup } from '#domain/query/list/group.ts'
import { type RowPage, selectGroups } from '#server/query/run/run-records-query.ts'
import { createBackgroundQueue } from '#server/platform/concurrency/background-queue.ts'
import { createResultCache, type RecordUpdate, type ResultCacheDeps } from './result-cache.ts'
import { createPageCache } from './page-cache.ts'
import { type Counted, type CountMode, createCountCache } from './count-cache.ts'
import { membershipChange } from '#domain/query/list/evaluate-change.ts'
import { leafOf } from '#domain/query/check/checked-filter.ts'
import type { SortPart } from '#domain/query/list/sort.ts'
import { EMPTY_SNAPSHOT } from '#server/platform/database/database.ts'
import { cacheSubjectOf, type Listing, type ListSubject } from './cache-subject.ts'

type Groups = { readonly groups: readonly RecordGroup[]; readonly total: number }

const MAX_ENTRIES = 200
const MAX_BYTES = 16 * 1024 * 1024

/** Caches pages of groups until a record of the list changes. */
function createGroupCache(deps: ResultCacheDeps) {
  const kept = createResultCache<ListSubject, Groups>(deps, {
    follow: groupsAfterChange,
    bytesOf,
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
  })

  return async (listing: Listing, grouping: CheckedGroupQuery): Promise<Groups> => {
    const { scope, query } = listing
    const { parts, aggregates, offset, limit } = grouping
    const by = grouping.by.map(({ name }) => name)
    const about = cacheSubjectOf(listing, [...parts, ...aggregateParts(grouping)], by, aggregates, offset, limit)
    const read = () => selectGroups(scope, query, grouping)
    // A change notified from now on counts as unseen, which at worst invalidates too much.
    return (await kept.read(about, async () => ({ value: await read(), view: EMPTY_SNAPSHOT }))) ?? read()
  }
}

/** Inputs of summaries besides the keys: conditionally hidden fields can depend on other records. */
const aggregateParts = ({ aggregates }: CheckedGroupQuery): readonly SortPart[] =>
  aggregates.flatMap((each) => {
    if (each.type === 'count' || each.readable === null) return []
    return { steps: [], leaf: leafOf(each.field, each.readable), keyType: 'value', isDescending: false }
  })

/** Changes of records outside the list, before and after, leave its groups valid. */
function groupsAfterChange(groups: Groups, { change }: RecordUpdate, { list }: ListSubject): Groups | undefined {
  const crossing = membershipChange(list, change)
  return crossing && !crossing.was && !crossing.is ? groups : undefined
}

const BYTES_PER_CHARACTER = 2

const bytesOf = (groups: Groups): number => JSON.stringify(groups).length * BYTES_PER_CHARACTER

export type ListCache = {
  readonly page: (listing: Listing, fields?: readonly Field[]) => Promise<RowPage>
  readonly total: (listing: Listing, mode: CountMode) => Promise<Counted>
  /** The length of a list if known; otherwise it is counted in the background for the next request. */
  readonly glance: (listing: Listing) => Promise<number | undefined>
  readonly groups: (listing: Listing, grouping: CheckedGroupQuery) => Promise<Groups>
  readonly atRest: () => Promise<void>
  readonly close: () => void
}

export type ListCacheDeps = Omit<ResultCacheDeps, 'line'> & {
  readonly report: (error: unknown) => void
  /** Resolves when all commits of other processes were processed. */
  readonly catchUp?: () => Promise<void>
}

export function createListCache({ catchUp = () => Promise.resolve(), ...deps }: ListCacheDeps): ListCache {
  const line = createBackgroundQueue(deps.report)
  const cacheDeps: ResultCacheDeps = { feed: deps.feed, nowMs: deps.nowMs, line }
  const totals = createCountCache(cacheDeps)
  const groups = createGroupCache(cacheDeps)
  return {
    page: createPageCache(cacheDeps),
    // A client that wrote through another process sees its change counted here.
    total: (...requested) => catchUp().then(() => totals.total(...requested)),
    glance: (...requested) => catchUp().then(() => totals.glance(...requested)),
    groups: (...requested) => catchUp().then(() => groups(...requested)),
    atRest: line.atRest,
    close: line.close,
  }
}
