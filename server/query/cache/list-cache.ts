import type { Field } from '#domain/fields/field.ts'
import type { CheckedGroupQuery } from '#domain/query/group.ts'
import type { RowPage } from '#server/query/run/run-records-query.ts'
import { createBackgroundQueue } from '#server/platform/concurrency/background-queue.ts'
import { type Groups, createGroupCache } from './group-cache.ts'
import type { ResultCacheDeps } from './result-cache.ts'
import type { Listing } from './listing.ts'
import { createPageCache } from './page-index/page-cache.ts'
import { type CountMode, type Counted, createCountCache } from './count-cache.ts'

/** What is known of lists without reading them again: where their places are, how long they are, their groups. */
export type ListCache = {
  /** A page, wherever in the list it lies. */
  readonly page: (listing: Listing, fields?: readonly Field[]) => Promise<RowPage>
  /** How many records the list has: to its end, or exactly up to the cap. */
  readonly total: (listing: Listing, mode: CountMode) => Promise<Counted>
  /** How many records the list has, if that is known; what is not is counted when there is time, for whoever asks next. */
  readonly glance: (listing: Listing) => Promise<number | undefined>
  readonly groups: (listing: Listing, grouping: CheckedGroupQuery) => Promise<Groups>
  /** Waits until nothing runs in the background. */
  readonly atRest: () => Promise<void>
  /** Begins nothing more in the background. */
  readonly close: () => void
}

/** What the memory of lists is opened with. */
export type ListCacheDeps = Omit<ResultCacheDeps, 'line'> & {
  /** Is told when something failed that nobody waits for. */
  readonly report: (error: unknown) => void
  /** Waits until all that other processes had committed is told by the feed. */
  readonly catchUp?: () => Promise<void>
}

/** Opens the memory of lists. */
export function createListCache({ catchUp = () => Promise.resolve(), ...needs }: ListCacheDeps): ListCache {
  const line = createBackgroundQueue(needs.report)
  const keepers: ResultCacheDeps = { feed: needs.feed, nowMs: needs.nowMs, line }
  const totals = createCountCache(keepers)
  const groups = createGroupCache(keepers)
  return {
    page: createPageCache(keepers),
    // Whoever wrote something at another process finds it counted here.
    total: (...asked) => catchUp().then(() => totals.total(...asked)),
    glance: (...asked) => catchUp().then(() => totals.glance(...asked)),
    groups: (...asked) => catchUp().then(() => groups(...asked)),
    atRest: line.atRest,
    close: line.close,
  }
}
