import { setTimeout as pause } from 'node:timers/promises'
import type { SearchPart } from '#server/query/search-part.ts'
import type { SearchNeeds } from './search-needs.ts'
import { findPart, mergeSome } from './store.ts'

/** How much of an index one step writes, in pages: whoever writes meanwhile waits for some 10 ms. */
const PAGES_A_STEP = 64

/**
 * Puts the pieces together that a full-text index has grown by, in short writes with as much time between them. Every
 * commit adds a piece and an import adds big ones; what is left to do here is done by the next writes of others, each a
 * share, and searches look into every piece.
 */
export async function mergePieces(
  { database }: Pick<SearchNeeds, 'database'>,
  part: SearchPart,
  goesOn: () => boolean,
): Promise<void> {
  for (let isMore = true; isMore && goesOn(); ) {
    const startedAt = performance.now()
    isMore = await database.write(async (transaction) => {
      const now = await findPart(transaction, part.id)
      return now !== undefined && mergeSome(transaction, now, PAGES_A_STEP)
    })
    if (isMore) await pause(performance.now() - startedAt)
  }
}
