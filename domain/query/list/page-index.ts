import type { KeyValue } from '#domain/shared/compare-values.ts'
import { type CheckedSort, compareSortKeys } from './sort.ts'

/** Ends with the record's ID, so keys are unique. */
export type SortKey = readonly KeyValue[]

/** The commits that are visible to a read. */
export type VisibleCommits = { readonly includes: (commit: bigint) => boolean }

/** A segment of a sorted list: the number of records after `after` (null: the start) up to the next block. */
export type Block = {
  readonly after: SortKey | null
  readonly count: number
  /** Commits included in the count when it was read; blocks may be read one after the other. */
  readonly seen: VisibleCommits
}

/** The count of a sorted list and every hundredth sort key: any offset is found by a key and a short skip. */
export type PageIndex = {
  readonly sort: CheckedSort
  readonly blockRecords: number
  /** At least one; the first starts at the beginning. */
  readonly blocks: readonly Block[]
  readonly total: number
  /** The lowest and highest key ever seen; null for none. */
  readonly ends: { readonly lowest: SortKey; readonly highest: SortKey } | null
  /** Set once a block has grown so long that skipping through it is slow. */
  readonly needsRebuild: boolean
}

/** null: not in the list. */
export type PositionChange = { readonly from: SortKey | null; readonly to: SortKey | null }

/** The key to start after, and the number of records to skip after it. */
export type Anchor = { readonly after: SortKey | null; readonly skip: number }

/** Maximum records to skip; each costs a few µs if conditions aren't in an index. */
export const BLOCK_RECORDS = 100

/** A block this many times its size triggers a rebuild. */
const OVERSIZE_FACTOR = 4

/** Creates the index from blocks, and the first and last key. */
export function createPageIndex(
  sort: CheckedSort,
  blocks: readonly Block[],
  ends: PageIndex['ends'],
  blockRecords = BLOCK_RECORDS,
): PageIndex {
  const total = blocks.reduce((sum, { count }) => sum + count, 0)
  return { sort, blockRecords, blocks, total, ends, needsRebuild: false }
}

/** Offsets past the end return the end. */
export function anchorOf({ blocks }: PageIndex, ordinal: number): Anchor {
  let before = 0
  for (const [at, { after, count }] of blocks.entries()) {
    if (ordinal < before + count || at === blocks.length - 1) return { after, skip: ordinal - before }
    before += count
  }
  return { after: null, skip: ordinal }
}

/** Applies a move of one record. Counts are sums, so moves can arrive in any order. */
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

/** The last block that starts before the key. */
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

/** Merges two neighbors that together are less than half full and include the same commits. */
function mergeSmall(blocks: readonly Block[], at: number, blockRecords: number): readonly Block[] {
  const [left, right] = [blocks[at], blocks[at + 1]]
  if (!left || left.seen !== right?.seen || left.count + right.count > blockRecords / 2) return blocks
  return blocks.toSpliced(at, 2, { ...left, count: left.count + right.count })
}

/** Lists mostly grow at their ends: there a full block is kept and a new one started. */
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

/** Includes deleted keys: a late move may still use them. */
function widenEnds({ sort, ends }: PageIndex, key: SortKey): PageIndex['ends'] {
  if (!ends) return { lowest: key, highest: key }
  if (compareSortKeys(sort, key, ends.lowest) < 0) return { ...ends, lowest: key }
  return compareSortKeys(sort, key, ends.highest) > 0 ? { ...ends, highest: key } : ends
}
