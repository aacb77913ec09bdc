import type { KeyValue } from '../shared/compare-values.ts'
import { type CheckedSort, compareSortKeys } from './sort.ts'

/** The key of one record in a sorted list, ending with its id: no two records share one. */
export type SortKey = readonly KeyValue[]

/** A stretch of a sorted list: how many records stand behind `after` (null: from the beginning) and up to the next block. */
export type Block = { readonly after: SortKey | null; readonly count: number }

/**
 * What is known of a sorted list without its records: how many there are, and where every some hundredth one stands. So
 * any place of a list is found by a key and a short step, however deep it lies.
 */
export type ResultShape = {
  readonly sort: CheckedSort
  /** How many records a block holds when it is made. */
  readonly blockRecords: number
  /** At least one, in the order of the list. */
  readonly blocks: readonly Block[]
  readonly total: number
  /** No key ever seen lies before or behind these; null while none was seen. */
  readonly ends: { readonly lowest: SortKey; readonly highest: SortKey } | null
  /** Whether one of its blocks grew so long that steps through it are no longer short. */
  readonly isWorn: boolean
}

/** What a change does to a list: a record leaves one place and takes another; null where it is not in the list. */
export type Move = { readonly from: SortKey | null; readonly to: SortKey | null }

/** A place in a list: behind which key to begin, and how many records to pass over from there. */
export type Anchor = { readonly after: SortKey | null; readonly skip: number }

/** Records of a block: a step of half as many on average costs less than a tenth of a millisecond. */
export const BLOCK_RECORDS = 500

/** A block this many times its size is worn. */
const WORN_FACTOR = 4

/** What one pass over a sorted list notes. */
export type ListPass = {
  readonly total: number
  /** The key of every `blockRecords`th record. */
  readonly anchors: readonly SortKey[]
  /** The keys of the first and the last record; null in an empty list. */
  readonly ends: ResultShape['ends']
}

/** The shape of a list from one pass over it. */
export function shapeOf(sort: CheckedSort, pass: ListPass, blockRecords = BLOCK_RECORDS): ResultShape {
  const starts: readonly (SortKey | null)[] = [null, ...pass.anchors]
  const last = starts.length - 1
  const blocks = starts.map((after, at) => ({
    after,
    count: at === last ? pass.total - last * blockRecords : blockRecords,
  }))
  return { sort, blockRecords, blocks, total: pass.total, ends: pass.ends, isWorn: false }
}

/** Where the record of an ordinal stands; behind the end of the list it is the end. */
export function placeOf({ blocks }: ResultShape, ordinal: number): Anchor {
  let before = 0
  for (const [at, { after, count }] of blocks.entries()) {
    if (ordinal < before + count || at === blocks.length - 1) return { after, skip: ordinal - before }
    before += count
  }
  return { after: null, skip: ordinal }
}

/**
 * The shape after a record moved. Counts are only ever added up, so moves may be told in any order: one that is told
 * before the one it builds on is right again as soon as both were.
 */
export function moved(shape: ResultShape, { from, to }: Move): ResultShape {
  const without = from === null ? shape : taken(shape, from)
  return to === null ? without : put(without, to)
}

function taken(shape: ResultShape, key: SortKey): ResultShape {
  const at = blockAt(shape, key)
  const blocks = counted(shape.blocks, at, -1)
  return {
    ...shape,
    blocks: joined(joined(blocks, at, shape.blockRecords), at - 1, shape.blockRecords),
    total: shape.total - 1,
    ends: widened(shape, key),
  }
}

function put(shape: ResultShape, key: SortKey): ResultShape {
  const grown = splitAtEnd(shape, key)
  const at = blockAt(grown, key)
  const blocks = counted(grown.blocks, at, 1)
  const isLong = (blocks[at]?.count ?? 0) > grown.blockRecords * WORN_FACTOR
  return { ...grown, blocks, total: grown.total + 1, ends: widened(grown, key), isWorn: grown.isWorn || isLong }
}

/** The block a key falls into: the last that begins before it. */
function blockAt({ sort, blocks }: ResultShape, key: SortKey): number {
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

const counted = (blocks: readonly Block[], at: number, by: 1 | -1): readonly Block[] =>
  blocks.with(at, { after: blocks[at]?.after ?? null, count: (blocks[at]?.count ?? 0) + by })

/** One block of two neighbours that together are not even half full. */
function joined(blocks: readonly Block[], at: number, blockRecords: number): readonly Block[] {
  const [left, right] = [blocks[at], blocks[at + 1]]
  if (!left || !right || left.count + right.count > blockRecords / 2) return blocks
  return blocks.toSpliced(at, 2, { after: left.after, count: left.count + right.count })
}

/**
 * Lists grow at their ends more than anywhere else. There, and only there, it is known without asking on which side of a
 * new key all others stand, so a full block is left as it is and another one begun.
 */
function splitAtEnd(shape: ResultShape, key: SortKey): ResultShape {
  const { sort, blocks, blockRecords, ends } = shape
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (!ends || !first || !last) return shape
  if (last.count >= blockRecords && compareSortKeys(sort, key, ends.highest) > 0) {
    return { ...shape, blocks: [...blocks, { after: ends.highest, count: 0 }] }
  }
  if (first.count >= blockRecords && compareSortKeys(sort, key, ends.lowest) < 0) {
    return { ...shape, blocks: [{ after: null, count: 0 }, { after: key, count: first.count }, ...blocks.slice(1)] }
  }
  return shape
}

/** Keys that went count as well: a move told late may still bring them. */
function widened({ sort, ends }: ResultShape, key: SortKey): ResultShape['ends'] {
  if (!ends) return { lowest: key, highest: key }
  if (compareSortKeys(sort, key, ends.lowest) < 0) return { ...ends, lowest: key }
  return compareSortKeys(sort, key, ends.highest) > 0 ? { ...ends, highest: key } : ends
}
