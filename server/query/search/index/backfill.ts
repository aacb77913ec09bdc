import { notifySearchIndexChanged } from '#server/query/definitions/search-index-changed.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import type { SearchDeps } from './search-indexer-deps.ts'
import { findIndexRow, saveGap, indexRows, rowsBetween, splitGap } from './full-text-store.ts'

/** How long one slice should hold the writer, its way to the disk included, in ms; whoever writes meanwhile waits about this long. */
const TARGET_BATCH_MS = 40
const INITIAL_BATCH = 200
const MIN_BATCH = 10
const MAX_BATCH = 5_000

/** How often others are told how far it is, in ms: until then they only read more rows than they would have to. */
const PUBLISH_INTERVAL_MS = 2_000

/**
 * Takes the rest of a collection into a full-text index, slice by slice, each a short write of its own that also notes
 * how far it came: whoever is killed in between goes on there.
 */
export async function backfillIndex(needs: SearchDeps, part: FullTextIndex, signal: AbortSignal): Promise<void> {
  let count = INITIAL_BATCH
  let toldAtMs = performance.now()
  for (let isMore = true; isMore && !signal.aborted; ) {
    const tells = performance.now() - toldAtMs > PUBLISH_INTERVAL_MS
    const begunAtMs = performance.now()
    isMore = await backfillBatch(needs, { part, count, tells })
    if (tells) toldAtMs = performance.now()
    count = nextCount(count, performance.now() - begunAtMs)
  }
}

/** How many rows fit into a slice, from how long the last one took; one slow moment changes it by half at most. */
function nextCount(count: number, tookMs: number): number {
  const change = Math.max(0.5, Math.min(2, TARGET_BATCH_MS / Math.max(1, tookMs)))
  return Math.max(MIN_BATCH, Math.min(MAX_BATCH, Math.round(count * change)))
}

type BackfillBatch = {
  readonly part: FullTextIndex
  readonly count: number
  readonly tells: boolean
}

/** One slice; whether more is left. */
function backfillBatch(needs: SearchDeps, { part, count, tells }: BackfillBatch): Promise<boolean> {
  const { database, definitions } = needs
  return database.write(async (transaction) => {
    const { byId } = await definitions.within(transaction)
    const [collection, now] = [byId.get(part.collection), await findIndexRow(transaction, part.id)]
    if (!collection || !now?.gap) return false
    const { first, rest } = await splitGap(transaction, collection.id, now.gap, count)
    await indexRows(transaction, now, collection, rowsBetween(first))
    await saveGap(transaction, now, rest)
    if (rest === null || tells) {
      await notifySearchIndexChanged(transaction)
      transaction.afterCommit(() => definitions.drop())
    }
    return rest !== null
  })
}
