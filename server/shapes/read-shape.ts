import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { BLOCK_RECORDS, type Block, type ResultShape, type SortKey, shapeOf } from '#domain/query/result-shape.ts'
import type { CommitView } from '#server/database/commit-mark.ts'
import { heldOnTheWay } from '#server/query/find-page.ts'
import type { QueryScope } from '#server/query/query-scope.ts'
import { type OpenList, openList, readAllAnchors, readAnchors, readKeys } from './store.ts'

/** Blocks of one step: some five hundred records, in a ms or two. */
const BLOCKS_A_STEP = 5

/**
 * A step that took longer than this, in ms, walks no index: every other would look at the whole list again, so that one
 * pass over it costs less.
 */
const SLOW_STEP_MS = 40

/** The keys of a list take at most so many characters in memory; lists by very long texts are paged without. */
const MOST_CHARACTERS = 8_000_000

/** Reading gives up after this long, in ms; what takes longer is not worth a reader's place. */
const LONGEST_MS = 20_000

/**
 * Reads the shape of a list: step by step along an index, each step short and with a moment of its own, or else in one
 * pass: also where each row would have to be looked at on the way, since rows as they lie are read at a third of the cost.
 * undefined where it would take too long or too much room.
 */
export async function readShape(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  { nowMs, blockRecords = BLOCK_RECORDS }: { readonly nowMs: () => number; readonly blockRecords?: number },
): Promise<ResultShape | undefined> {
  const startedAtMs = nowMs()
  const list = await openList(scope, query)
  const first = await readKeys(list, { after: null, skip: 0, limit: 1 })
  const walk: Walk = { list, blockRecords, blocks: [], after: null, characters: 0 }
  const steppingAtMs = nowMs()
  let highest = heldOnTheWay(scope, query) ? await passOver(walk) : await step(walk)
  if (highest === undefined && nowMs() - steppingAtMs > SLOW_STEP_MS) highest = await passOver(walk)
  while (highest === undefined) {
    if (nowMs() - startedAtMs > LONGEST_MS || walk.characters > MOST_CHARACTERS) return undefined
    highest = await step(walk)
  }
  const [lowest] = first.keys
  // The first record came between two statements: without a bound at its beginning the list cannot be followed.
  if (!lowest && highest) return undefined
  return shapeOf(query.sort, walk.blocks, lowest && highest ? { lowest, highest } : null, blockRecords)
}

/** The blocks read so far, and where the next one begins. */
type Walk = {
  readonly list: OpenList
  readonly blockRecords: number
  readonly blocks: Block[]
  after: SortKey | null
  characters: number
}

/** Reads the next blocks. At the end of the list it answers the last key, or null when there is none at all. */
async function step(walk: Walk): Promise<SortKey | null | undefined> {
  const { list, blockRecords } = walk
  const ahead = await readAnchors(list, { after: walk.after, blockRecords, most: BLOCKS_A_STEP })
  for (const key of ahead.keys) add(walk, key, ahead.view)
  return ahead.keys.length > 0 ? undefined : readRest(walk)
}

/** Reads the last block, behind which nothing should stand. */
async function readRest(walk: Walk): Promise<SortKey | null | undefined> {
  const { list, blockRecords, after } = walk
  const rest = await readKeys(list, { after, skip: 0, limit: blockRecords })
  const full = rest.keys[blockRecords - 1]
  // Somebody may have added the missing ones in between.
  if (full) return add(walk, full, rest.view)
  walk.blocks.push({ after, count: rest.keys.length, seen: rest.view })
  return rest.keys.at(-1) ?? after
}

function add(walk: Walk, next: SortKey, seen: CommitView): undefined {
  walk.blocks.push({ after: walk.after, count: walk.blockRecords, seen })
  walk.after = next
  walk.characters += next.reduce<number>((sum, part) => sum + String(part).length, 0)
}

/** Reads all blocks at once, and then the last. */
async function passOver(walk: Walk): Promise<SortKey | null | undefined> {
  const { keys, view } = await readAllAnchors(walk.list, walk.blockRecords)
  walk.blocks.length = 0
  walk.after = null
  for (const key of keys) add(walk, key, view)
  return readRest(walk)
}
