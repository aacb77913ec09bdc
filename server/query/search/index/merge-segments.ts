import { setTimeout as pause } from 'node:timers/promises'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import type { SearchDeps } from './search-indexer-deps.ts'
import { findIndexRow, mergeIndexPages } from './full-text-store.ts'

/** How much of an index one step writes, in pages: whoever writes meanwhile waits for some 10 ms. */
const PAGES_PER_STEP = 64

/**
 * Puts the pieces together that a full-text index has grown by, in short writes with as much time between them. Every
 * commit adds a piece and an import adds big ones; what is left to do here is done by the next writes of others, each a
 * share, and searches look into every piece.
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
