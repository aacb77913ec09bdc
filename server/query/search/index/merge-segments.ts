import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import { countEntries, findIndexRow, mergeIndexPages } from './full-text-store.ts'

/** Pages written per step; concurrent writers wait for about 10 ms. */
const PAGES_PER_STEP = 64

/** With this many rows and this share of deleted ones, an index is replaced instead of merged. */
const MIN_REPLACED_ROWS = 5_000
const MAX_DELETED_SHARE = 0.9

/** With this many rows deleted since the last merge, more are about to be, and a merge would rewrite them in vain. */
export const MIN_ROWS_BEING_DELETED = 5_000
const MAX_SEGMENTS_THEN = 64

export type Pass = {
  readonly shouldContinue: () => boolean
  /** Number of deleted rows from which the merge is postponed, unless there are many segments. */
  readonly maxDeleted?: number
  /** Whether few segments are left and deleted rows removed, which takes too long to do it after every few writes. */
  readonly isThorough: boolean
}

/**
 * Merges the segments of a full-text index in short writes, with pauses of equal length. Every commit adds a segment,
 * and imports add large ones; searches read every segment. The time of a step depends on the pages read, so it writes
 * fewer if many rows were deleted.
 */
export async function mergeSegments(
  { database }: { readonly database: Database },
  part: FullTextIndex,
  { shouldContinue, isThorough, maxDeleted = Infinity }: Pass,
): Promise<'merged' | 'postponed' | 'mostly deleted'> {
  for (let isMore = true; isMore && shouldContinue(); ) {
    const { segments, entries, deleted } = await countEntries(database.readBriefly, part)
    const share = deleted / Math.max(1, entries)
    if (entries >= MIN_REPLACED_ROWS && share >= MAX_DELETED_SHARE) return 'mostly deleted'
    if (deleted >= maxDeleted && segments <= MAX_SEGMENTS_THEN) return 'postponed'
    const startedAt = performance.now()
    const pages = Math.ceil(PAGES_PER_STEP * (1 - share))
    isMore = await database.write(
      async (transaction) => {
        const now = await findIndexRow(transaction, part.id)
        return now !== undefined && mergeIndexPages(transaction, now, { pages, isThorough })
      },
      { isLong: true },
    )
    if (isMore) await pause(performance.now() - startedAt)
  }
  return 'merged'
}
