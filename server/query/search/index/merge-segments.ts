import { setTimeout as pause } from 'node:timers/promises'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import type { SearchDeps } from './search-indexer-deps.ts'
import { findIndexRow, mergeIndexPages } from './full-text-store.ts'

/** Pages written per step: concurrent writers wait for some 10 ms. */
const PAGES_PER_STEP = 64

/**
 * Merges the segments of a full-text index in short writes with pauses of the same length. Every commit adds a
 * segment and an import adds large ones; otherwise later writes would merge them, and searches read every segment.
 */
export async function mergeSegments(
  { database }: Pick<SearchDeps, 'database'>,
  part: FullTextIndex,
  goesOn: () => boolean,
): Promise<void> {
  for (let isMore = true; isMore && goesOn(); ) {
    const startedAt = performance.now()
    isMore = await database.write(async (transaction) => {
      const now = await findIndexRow(transaction, part.id)
      return now !== undefined && mergeIndexPages(transaction, now, PAGES_PER_STEP)
    })
    if (isMore) await pause(performance.now() - startedAt)
  }
}
