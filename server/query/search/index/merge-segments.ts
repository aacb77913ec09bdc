import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import { countEntries, findIndexRow, mergeIndexPages } from './full-text-store.ts'

/** Pages written per step; concurrent writers wait for about 10 ms. */
const PAGES_PER_STEP = 64

export type Pass = {
  readonly shouldContinue: () => boolean
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
  { shouldContinue, isThorough }: Pass,
): Promise<void> {
  for (let isMore = true; isMore && shouldContinue(); ) {
    const { entries, deleted } = await countEntries(database.readBriefly, part)
    const startedAt = performance.now()
    const pages = Math.ceil(PAGES_PER_STEP * (1 - deleted / Math.max(1, entries)))
    isMore = await database.write(
      async (transaction) => {
        const now = await findIndexRow(transaction, part.id)
        return now !== undefined && mergeIndexPages(transaction, now, { pages, isThorough })
      },
      { isLong: true, mayBeLost: true },
    )
    if (isMore) await pause(performance.now() - startedAt)
  }
}
