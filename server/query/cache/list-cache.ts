import type { Field } from '#domain/fields/field.ts'
import { aggregateLeaf, type CheckedGroupQuery, entriesFields, type RecordGroup } from '#domain/query/list/group.ts'
import { type RowPage, selectGroups } from '#server/query/run/run-records-query.ts'
import { createBackgroundQueue } from '#server/platform/concurrency/background-queue.ts'
import { createResultCache, type RecordUpdate, type ResultCacheDeps } from './result-cache.ts'
import { createPageCache } from './page-cache.ts'
import { membershipChange } from '#domain/query/list/evaluate-change.ts'
import type { SortPart } from '#domain/query/list/sort.ts'
import { EMPTY_SNAPSHOT } from '#server/platform/database/database.ts'
import { cacheSubjectOf, type Listing, type ListSubject } from './cache-subject.ts'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import { withTimeout } from '#server/platform/concurrency/async-helpers.ts'
import { readTotal } from './page-index-store.ts'

/** Whether a list is counted exactly or only up to the cap. */
type CountMode = 'exact' | 'capped'

type Counted = { readonly total: number; readonly totalIs: 'exact' | 'atLeast' }

const MAX_COUNTS = 2000
const MAX_BYTES_OF_COUNTS = 8 * 1024 * 1024

/** Maximum wait for an exact count, in ms; after that, the capped count is returned. */
const EXACT_TIMEOUT_MS = 10_000

/** Additional wait in ms for the exact count if the list exceeds the cap. */
const CHEAP_TIMEOUT_MS = 10

/** Caches list counts per reader and updates them with every change, so that they are immediately available. */
function createCountCache(deps: ResultCacheDeps) {
  const keeping = {
    follow: totalAfterChange,
    bytesOf: () => BYTES_PER_TOTAL,
    maxEntries: MAX_COUNTS,
    maxBytes: MAX_BYTES_OF_COUNTS,
  }
  // Capped counts are cached separately, so that requests share them without waiting for an exact count.
  const upToCap = createResultCache<ListSubject, number>(deps, keeping)
  const toTheEnd = createResultCache<ListSubject, number>(deps, keeping)
  const readTo =
    ({ scope, query }: Listing, mode: CountMode) =>
    () =>
      readTotal(scope, query, mode)

  const countCapped = async (listing: Listing, about: ListSubject): Promise<Counted> => {
    const few = await upToCap.read(about, readTo(listing, 'capped'))
    if (few !== undefined) return { total: few, totalIs: 'exact' }
    const all = await withTimeout(toTheEnd.prepare(about, readTo(listing, 'exact')), CHEAP_TIMEOUT_MS)
    return all === undefined ? { total: COUNT_CAP, totalIs: 'atLeast' } : { total: all, totalIs: 'exact' }
  }

  /** Returns the cached count, or starts counting in the background. */
  const glance = async (listing: Listing): Promise<number | undefined> => {
    const about = cacheSubjectOf(listing)
    return upToCap.now(about) ?? toTheEnd.prepare(about, readTo(listing, 'exact'))
  }

  const total = async (listing: Listing, mode: CountMode): Promise<Counted> => {
    const about = cacheSubjectOf(listing)
    const known = upToCap.now(about) ?? toTheEnd.now(about)
    if (known !== undefined) return { total: known, totalIs: 'exact' }
    if (mode === 'exact') {
      const all = await withTimeout(toTheEnd.read(about, readTo(listing, 'exact')), EXACT_TIMEOUT_MS)
      if (all !== undefined) return { total: all, totalIs: 'exact' }
    }
    return countCapped(listing, about)
  }
  return { total, glance }
}

const BYTES_PER_TOTAL = 200

function totalAfterChange(total: number, { change }: RecordUpdate, { list }: ListSubject): number | undefined {
  const crossing = membershipChange(list, change)
  return crossing && total + Number(crossing.is) - Number(crossing.was)
}

type Groups = { readonly groups: readonly RecordGroup[]; readonly total: number }

const MAX_GROUPINGS = 200
const MAX_BYTES_OF_GROUPINGS = 16 * 1024 * 1024

/** Caches pages of groups until a record in the list changes. */
function createGroupCache(deps: ResultCacheDeps) {
  const kept = createResultCache<ListSubject, Groups>(deps, {
    follow: groupsAfterChange,
    bytesOf,
    maxEntries: MAX_GROUPINGS,
    maxBytes: MAX_BYTES_OF_GROUPINGS,
  })

  return async (listing: Listing, grouping: CheckedGroupQuery): Promise<Groups> => {
    const { scope, query } = listing
    const { parts, aggregates, order, offset, limit } = grouping
    const by = grouping.by.map(({ name }) => name)
    const about = cacheSubjectOf(
      listing,
      [...parts, ...entriesParts(grouping), ...aggregateParts(grouping)],
      by,
      aggregates,
      order ?? null,
      offset,
      limit,
    )
    const read = () => selectGroups(scope, query, grouping)
    // Treats all changes announced from now on as not included in the result, which at worst invalidates too many
    // entries.
    return (await kept.read(about, async () => ({ value: await read(), view: EMPTY_SNAPSHOT }))) ?? read()
  }
}

/**
 * Fields used by summaries, in addition to the group keys, because conditionally hidden fields can depend on other
 * records.
 */
const aggregateParts = ({ aggregates }: CheckedGroupQuery): readonly SortPart[] =>
  aggregates.flatMap((each) => {
    if (each.type === 'count' || each.readable === null) return []
    return { steps: [], leaf: aggregateLeaf(each), keyType: 'value', isDescending: false }
  })

/** The links through which a record is in several groups. */
const entriesParts = ({ by }: CheckedGroupQuery): readonly SortPart[] =>
  entriesFields(by).map(({ entries }) => ({ ...entries, keyType: 'value', isDescending: false }))

/** Groups stay valid after changes to records that are outside the list both before and after the change. */
function groupsAfterChange(groups: Groups, { change }: RecordUpdate, { list }: ListSubject): Groups | undefined {
  const crossing = membershipChange(list, change)
  return crossing && !crossing.was && !crossing.is ? groups : undefined
}

const BYTES_PER_CHARACTER = 2

const bytesOf = (groups: Groups): number => JSON.stringify(groups).length * BYTES_PER_CHARACTER

export type ListCache = {
  readonly page: (listing: Listing, fields?: readonly Field[]) => Promise<RowPage>
  readonly total: (listing: Listing, mode: CountMode) => Promise<Counted>
  /** The list's length if known; otherwise, counts it in the background for the next request. */
  readonly glance: (listing: Listing) => Promise<number | undefined>
  readonly groups: (listing: Listing, grouping: CheckedGroupQuery) => Promise<Groups>
  readonly atRest: () => Promise<void>
  readonly close: () => void
}

export type ListCacheDeps = Omit<ResultCacheDeps, 'line'> & {
  readonly report: (error: unknown) => void
  /** Resolves when all commits by other processes have been processed. */
  readonly catchUp?: () => Promise<void>
}

export function createListCache({ catchUp = () => Promise.resolve(), ...deps }: ListCacheDeps): ListCache {
  const line = createBackgroundQueue(deps.report)
  const cacheDeps: ResultCacheDeps = { feed: deps.feed, nowMs: deps.nowMs, line }
  const totals = createCountCache(cacheDeps)
  const groups = createGroupCache(cacheDeps)
  return {
    page: createPageCache(cacheDeps),
    // A client that wrote through another process must also see its change in this process.
    total: (...requested) => catchUp().then(() => totals.total(...requested)),
    glance: (...requested) => catchUp().then(() => totals.glance(...requested)),
    groups: (...requested) => catchUp().then(() => groups(...requested)),
    atRest: line.atRest,
    close: line.close,
  }
}
