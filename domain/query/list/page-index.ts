import type { KeyValue } from '#domain/shared/compare-values.ts'
import { type CheckedSort, compareSortKeys } from './sort.ts'

/** The key of one record in a sorted list, ending with its id: no two records share one. */
export type SortKey = readonly KeyValue[]

/** Which commits were seen when something was read; a commit is known by its mark. */
export type VisibleCommits = { readonly includes: (commit: bigint) => boolean }

/** A stretch of a sorted list: how many records stand behind `after` (null: from the beginning) and up to the next block. */
export type Block = {
  readonly after: SortKey | null
  readonly count: number
  /** What its count knew of when it was read; it follows every other commit. Blocks may be read one after the other. */
  readonly seen: VisibleCommits
}

/**
 * What is known of a sorted list without its records: how many there are, and where every hundredth one stands. So
 * any place of a list is found by a key and a short step, however deep it lies.
 */
export type PageIndex = {
  readonly sort: CheckedSort
  /** How many records a block holds when it is made. */
  readonly blockRecords: number
  /** At least one, in the order of the list; the first begins at the beginning. */
  readonly blocks: readonly Block[]
  readonly total: number
  /** No key ever seen lies before or behind these; null while none was seen. */
  readonly ends: { readonly lowest: SortKey; readonly highest: SortKey } | null
  /** Whether one of its blocks grew so long that steps through it are no longer short. */
  readonly needsRebuild: boolean
}

/** What a change does to a list: a record leaves one place and takes another; null where it is not in the list. */
export type PositionChange = { readonly from: SortKey | null; readonly to: SortKey | null }

/** A place in a list: behind which key to begin, and how many records to pass over from there. */
export type Anchor = { readonly after: SortKey | null; readonly skip: number }

/**
 * Records of a block. So many are passed over at most, each looked at where the list has conditions that no index
 * answers: in a list sorted otherwise than by id that is a few µs for each.
 */
export const BLOCK_RECORDS = 100

/** A block this many times its size is worn. */
const OVERSIZE_FACTOR = 4

/** The shape of a list from its blocks as they were read, the first record and the last. */
export function createPageIndex(
  sort: CheckedSort,
  blocks: readonly Block[],
  ends: PageIndex['ends'],
  blockRecords = BLOCK_RECORDS,
): PageIndex {
  const total = blocks.reduce((sum, { count }) => sum + count, 0)
  return { sort, blockRecords, blocks, total, ends, needsRebuild: false }
}

/** Where the record of an ordinal stands; behind the end of the list it is the end. */
export function anchorOf({ blocks }: PageIndex, ordinal: number): Anchor {
  let before = 0
  for (const [at, { after, count }] of blocks.entries()) {
    if (ordinal < before + count || at === blocks.length - 1) return { after, skip: ordinal - before }
    before += count
  }
  return { after: null, skip: ordinal }
}

/**
 * The shape after a record moved in the commit of that mark. Counts are only ever added up, so moves may be told in any
 * order: one that is told before the one it builds on is right again as soon as both were.
 */
export function applyPositionChange(index: PageIndex, { from, to }: PositionChange, commit: bigint): PageIndex {
  const without = from === null ? index : countRecord(index, from, { by: -1, commit })
  return to === null ? without : countRecord(splitAtEnd(without, to), to, { by: 1, commit })
}

function countRecord(
  index: PageIndex,
  key: SortKey,
  { by, commit }: { readonly by: 1 | -1; readonly commit: bigint },
): PageIndex {
  const at = blockAt(index, key)
  const block = index.blocks[at]
  const ends = widenEnds(index, key)
  if (!block || block.seen.includes(commit)) return { ...index, ends }

  const count = block.count + by
  const blocks = index.blocks.with(at, { ...block, count })
  return {
    ...index,
    blocks: by === 1 ? blocks : mergeAround(blocks, at, index.blockRecords),
    total: index.total + by,
    ends,
    needsRebuild: index.needsRebuild || count > index.blockRecords * OVERSIZE_FACTOR,
  }
}

/** The block a key falls into: the last that begins before it. */
function blockAt({ sort, blocks }: PageIndex, key: SortKey): number {
  let low = 0
  let high = blocks.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const after = blocks[middle]?.after ?? null
    if (after === null || compareSortKeys(sort, after, key) < 0) low = middle
    else high = middle - 1
  }
  return low
}

const mergeAround = (blocks: readonly Block[], at: number, blockRecords: number): readonly Block[] =>
  mergeSmall(mergeSmall(blocks, at, blockRecords), at - 1, blockRecords)

/** One block of two neighbours that together are not even half full, and that saw the same. */
function mergeSmall(blocks: readonly Block[], at: number, blockRecords: number): readonly Block[] {
  const [left, right] = [blocks[at], blocks[at + 1]]
  if (!left || left.seen !== right?.seen || left.count + right.count > blockRecords / 2) return blocks
  return blocks.toSpliced(at, 2, { ...left, count: left.count + right.count })
}

/**
 * Lists grow at their ends more than anywhere else. There, and only there, it is known without asking on which side of a
 * new key all others stand, so a full block is left as it is and another one begun.
 */
function splitAtEnd(index: PageIndex, key: SortKey): PageIndex {
  const { sort, blocks, blockRecords, ends } = index
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (!ends || !first || !last) return index
  if (last.count >= blockRecords && compareSortKeys(sort, key, ends.highest) > 0) {
    return { ...index, blocks: [...blocks, { ...last, after: ends.highest, count: 0 }] }
  }
  if (first.count >= blockRecords && compareSortKeys(sort, key, ends.lowest) < 0) {
    return { ...index, blocks: [{ ...first, count: 0 }, { ...first, after: key }, ...blocks.slice(1)] }
  }
  return index
}

/** Keys that went count as well: a move told late may still bring them. */
function widenEnds({ sort, ends }: PageIndex, key: SortKey): PageIndex['ends'] {
  if (!ends) return { lowest: key, highest: key }
  if (compareSortKeys(sort, key, ends.lowest) < 0) return { ...ends, lowest: key }
  return compareSortKeys(sort, key, ends.highest) > 0 ? { ...ends, highest: key } : ends
}
