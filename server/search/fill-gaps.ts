import { noteSearchParts } from '#server/collections/note-search-parts.ts'
import type { SearchPart } from '#server/query/search-part.ts'
import type { SearchNeeds } from './search-needs.ts'
import { findPart, noteGap, putRows, rowsBetween, splitGap } from './store.ts'

/** How long one slice should hold the writer, its way to the disk included, in ms; whoever writes meanwhile waits about this long. */
const SLICE_MS = 40
const FIRST_SLICE = 200
const LEAST_A_SLICE = 10
const MOST_A_SLICE = 5_000

/** How often others are told how far it is, in ms: until then they only read more rows than they would have to. */
const TELL_EVERY_MS = 2_000

/**
 * Takes the rest of a collection into a full-text index, slice by slice, each a short write of its own that also notes
 * how far it came: whoever is killed in between goes on there.
 */
export async function fillGap(needs: SearchNeeds, part: SearchPart, signal: AbortSignal): Promise<void> {
  let count = FIRST_SLICE
  let toldAtMs = performance.now()
  for (let isMore = true; isMore && !signal.aborted; ) {
    const tells = performance.now() - toldAtMs > TELL_EVERY_MS
    const begunAtMs = performance.now()
    isMore = await fillSlice(needs, { part, count, tells })
    if (tells) toldAtMs = performance.now()
    count = nextCount(count, performance.now() - begunAtMs)
  }
}

/** How many rows fit into a slice, from how long the last one took; one slow moment changes it by half at most. */
function nextCount(count: number, tookMs: number): number {
  const change = Math.max(0.5, Math.min(2, SLICE_MS / Math.max(1, tookMs)))
  return Math.max(LEAST_A_SLICE, Math.min(MOST_A_SLICE, Math.round(count * change)))
}

type Slice = {
  readonly part: SearchPart
  readonly count: number
  readonly tells: boolean
}

/** One slice; whether more is left. */
function fillSlice(needs: SearchNeeds, { part, count, tells }: Slice): Promise<boolean> {
  const { database, definitions } = needs
  return database.write(async (transaction) => {
    const { byId } = await definitions.within(transaction)
    const [collection, now] = [byId.get(part.collection), await findPart(transaction, part.id)]
    if (!collection || !now?.gap) return false
    const { first, rest } = await splitGap(transaction, collection.id, now.gap, count)
    await putRows(transaction, now, collection, rowsBetween(first))
    await noteGap(transaction, now, rest)
    if (rest === null || tells) {
      await noteSearchParts(transaction)
      transaction.afterCommit(() => definitions.drop())
    }
    return rest !== null
  })
}
