import { judgeCrossing } from '#domain/query/judge-change.ts'
import { COUNT_CAP } from '#domain/query/query-limits.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { RowPage } from '#server/query/run-records-query.ts'
import { type KeeperNeeds, type Told, keptResults } from './kept-results.ts'
import type { Listing } from './listing.ts'
import { soon } from './soon.ts'
import { readTotal } from './store.ts'
import { type ListSubject, subjectOf } from './subject-of.ts'

/** How a list is counted: to its end, or at most to the cap. */
export type CountMode = 'exact' | 'capped'

/** How many records a list has: exactly, or at least. */
export type Counted = { readonly total: number; readonly totalIs: 'exact' | 'atLeast' }

const MOST_TOTALS = 2000
const MOST_BYTES = 8 * 1024 * 1024

/** Whoever asks for the exact number waits so long for it, in ms, and is told the capped one then. */
const EXACT_WITHIN_MS = 10_000

/** Where the cap is passed, the exact number may still be a matter of an index: it is waited for so long, in ms. */
const CHEAP_WITHIN_MS = 10

/**
 * Counting some tens of thousands of records takes no longer than a page. In collections of more than these a count is
 * waited for only so much longer than its page, in ms; then the answer is what the page proves.
 */
const LARGE_FROM = 50_000
const GRACE_MS = 50

/**
 * Knows how long lists are. The number of a list that was counted once follows every change, so it is there at once
 * from then on, for each list and each reader's share of it: the whole collection is only the list without conditions.
 */
export function totalsKeeper(needs: KeeperNeeds) {
  const keeping = { follow: followed, bytesOf: () => BYTES_A_TOTAL, mostEntries: MOST_TOTALS, mostBytes: MOST_BYTES }
  // Counts up to the cap are shared by those who wait for them, and never wait for one that goes on to the end.
  const upToCap = keptResults<ListSubject, number>(needs, keeping)
  const toTheEnd = keptResults<ListSubject, number>(needs, keeping)
  const largest = new Map<CollectionId, number>()

  const noted = (total: number, totalIs: Counted['totalIs'], { collection }: ListSubject): Counted => {
    largest.set(collection, Math.max(total, largest.get(collection) ?? 0))
    return { total, totalIs }
  }
  const readTo =
    ({ scope, query }: Listing, mode: CountMode) =>
    () =>
      readTotal(scope, query, mode)

  const countCapped = async (listing: Listing, about: ListSubject): Promise<Counted> => {
    const few = await upToCap.read(about, readTo(listing, 'capped'))
    if (few !== undefined) return noted(few, 'exact', about)
    const all = await soon(toTheEnd.prepare(about, readTo(listing, 'exact')), CHEAP_WITHIN_MS)
    return all === undefined ? noted(COUNT_CAP, 'atLeast', about) : noted(all, 'exact', about)
  }

  return async (listing: Listing, mode: CountMode, page: Promise<RowPage>): Promise<Counted> => {
    const about = subjectOf(listing)
    const known = upToCap.now(about) ?? toTheEnd.now(about)
    if (known !== undefined) return noted(known, 'exact', about)
    if (mode === 'exact') {
      const all = await soon(toTheEnd.read(about, readTo(listing, 'exact')), EXACT_WITHIN_MS)
      if (all !== undefined) return noted(all, 'exact', about)
    }
    const counting = countCapped(listing, about)
    if ((largest.get(about.collection) ?? 0) < LARGE_FROM) return counting
    const inTime = page.then(() => soon(counting, GRACE_MS))
    counting.then(undefined, () => undefined)
    return (await inTime) ?? provenBy(listing, await page)
  }
}

const BYTES_A_TOTAL = 200

function followed(total: number, { change }: Told, { list }: ListSubject): number | undefined {
  const crossing = judgeCrossing(list, change)
  return crossing && total + Number(crossing.is) - Number(crossing.was)
}

/** A page tells that its own records are there and, when it is not the last, one more. */
function provenBy({ query }: Listing, { rows, hasMore }: RowPage): Counted {
  const { ordinal, after } = query.page
  const isCounted = after === null && (rows.length > 0 || ordinal === 0)
  const total = isCounted ? ordinal + rows.length + Number(hasMore) : rows.length
  return { total, totalIs: isCounted && !hasMore ? 'exact' : 'atLeast' }
}
