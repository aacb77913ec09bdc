import { membershipChange } from '#domain/query/list/evaluate-change.ts'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import { type ResultCacheDeps, type RecordUpdate, createResultCache } from './result-cache.ts'
import { withTimeout } from '#server/platform/concurrency/async-helpers.ts'
import { readTotal } from './page-index-store.ts'
import { cacheSubjectOf, type Listing, type ListSubject } from './cache-subject.ts'

/** How to count a list: exactly, or at most to the cap. */
export type CountMode = 'exact' | 'capped'

export type Counted = { readonly total: number; readonly totalIs: 'exact' | 'atLeast' }

const MAX_ENTRIES = 2000
const MAX_BYTES = 8 * 1024 * 1024

/** Maximum wait for an exact count, in ms; then the capped count is returned. */
const EXACT_TIMEOUT_MS = 10_000

/** Additional wait for an exact count above the cap, in ms. */
const CHEAP_TIMEOUT_MS = 10

/** Counts lists, per reader. A counted list is updated with every change, so its number is available at once. */
export function createCountCache(deps: ResultCacheDeps) {
  const keeping = {
    follow: totalAfterChange,
    bytesOf: () => BYTES_PER_TOTAL,
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
  }
  // Capped counts are shared by waiting requests and never wait for an exact one.
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

  /** The cached count; otherwise the list is counted in the background. */
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
