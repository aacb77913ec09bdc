import type { KeyValue } from '#domain/shared/compare-values.ts'
import { type CheckedSort, compareSortKeys } from './sort.ts'

/** Sort key that ends with the record ID, which makes it unique. */
export type SortKey = readonly KeyValue[]

/** Commits that are visible to a read. */
export type VisibleCommits = { readonly includes: (commit: bigint) => boolean }

/**
 * Segment of a sorted list: the number of records after the key `after` (null: from the start), up to the next block.
 */
export type Block = {
  readonly after: SortKey | null
  readonly count: number
  /** Commits included when the block was counted; blocks may be read at different times. */
  readonly seen: VisibleCommits
}

/**
 * Record count of a sorted list and every hundredth sort key, so that any offset can be reached from a key with a short
 * skip.
 */
export type PageIndex = {
  readonly sort: CheckedSort
  readonly blockRecords: number
  /** Never empty; the first block starts at the beginning of the list. */
  readonly blocks: readonly Block[]
  readonly total: number
  /** Lowest and highest key ever seen; null if there are none. */
  readonly ends: { readonly lowest: SortKey; readonly highest: SortKey } | null
  /** True if a block is so long that skipping its records is slow. */
  readonly needsRebuild: boolean
}

/** A null key means that the record isn't in the list. */
export type PositionChange = { readonly from: SortKey | null; readonly to: SortKey | null }

/** Key to start after, and the number of records to skip from there. */
export type Anchor = { readonly after: SortKey | null; readonly skip: number }

/** Maximum number of records to skip; each costs a few µs if conditions aren't in an index. */
export const BLOCK_RECORDS = 100

/** A block that grows to this multiple of the block size triggers a rebuild. */
const OVERSIZE_FACTOR = 4

/** Creates the index from its blocks and its first and last keys. */
export function createPageIndex(
  sort: CheckedSort,
  blocks: readonly Block[],
  ends: PageIndex['ends'],
  blockRecords = BLOCK_RECORDS,
): PageIndex {
  const total = blocks.reduce((sum, { count }) => sum + count, 0)
  return { sort, blockRecords, blocks, total, ends, needsRebuild: false }
}

/** Offsets past the end of the list return the end. */
export function anchorOf({ blocks }: PageIndex, ordinal: number): Anchor {
  let [before, at] = [0, 0]
  for (; at < blocks.length - 1; at += 1) {
    const count = blocks[at]?.count ?? 0
    if (ordinal < before + count) break
    before += count
  }
  return { after: blocks[at]?.after ?? null, skip: ordinal - before }
}

/** Applies the position change of one record. Counts are sums, so changes can arrive in any order. */
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

/** Finds the last block that starts before the key. */
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

/** Merges two adjacent blocks that together are less than half full and include the same commits. */
function mergeSmall(blocks: readonly Block[], at: number, blockRecords: number): readonly Block[] {
  const [left, right] = [blocks[at], blocks[at + 1]]
  if (!left || left.seen !== right?.seen || left.count + right.count > blockRecords / 2) return blocks
  return blocks.toSpliced(at, 2, { ...left, count: left.count + right.count })
}

/** Lists mostly grow at one of their ends, so if the block there is full, a new block is started. */
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

/** The range includes deleted keys, because a late position change may still use them. */
function widenEnds({ sort, ends }: PageIndex, key: SortKey): PageIndex['ends'] {
  if (!ends) return { lowest: key, highest: key }
  if (compareSortKeys(sort, key, ends.lowest) < 0) return { ...ends, lowest: key }
  return compareSortKeys(sort, key, ends.highest) > 0 ? { ...ends, highest: key } : ends
}
