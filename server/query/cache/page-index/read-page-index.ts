import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import {
  BLOCK_RECORDS,
  type Block,
  type PageIndex,
  type SortKey,
  createPageIndex,
} from '#domain/query/list/page-index.ts'
import type { CommitSnapshot } from '#server/platform/database/database.ts'
import { indexedPartOf } from '#server/query/run/find-page.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import { type OpenList, openList, readAllAnchors, readAnchors, readKeys } from './page-index-store.ts'

/** Blocks of one step: some five hundred records, in a ms or two. */
const BLOCKS_PER_STEP = 5

/**
 * A step slower than this, in ms, used no index: each further one would scan the whole list, so one pass costs less.
 */
const SLOW_STEP_MS = 40

/** Maximum characters of a list's keys in memory; lists sorted by very long texts have no page index. */
const MAX_KEY_CHARACTERS = 8_000_000

/** Maximum duration in ms; longer reads are not worth a reader's slot. */
const TIMEOUT_MS = 20_000

/**
 * Builds a page index: in short steps along a database index, or in one pass when each row must be read anyway, since
 * sequential reads cost a third. Undefined when it would take too long or too much memory.
 */
export async function readPageIndex(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  { nowMs, blockRecords = BLOCK_RECORDS }: { readonly nowMs: () => number; readonly blockRecords?: number },
): Promise<PageIndex | undefined> {
  const startedAtMs = nowMs()
  const list = await openList(scope, query)
  const first = await readKeys(list, { after: null, skip: 0, limit: 1 })
  const walk: IndexWalk = { list, blockRecords, blocks: [], after: null, characters: 0 }
  const steppingAtMs = nowMs()
  let highest = indexedPartOf(scope, query) ? await readInOnePass(walk) : await step(walk)
  if (highest === undefined && nowMs() - steppingAtMs > SLOW_STEP_MS) highest = await readInOnePass(walk)
  while (highest === undefined) {
    if (nowMs() - startedAtMs > TIMEOUT_MS || walk.characters > MAX_KEY_CHARACTERS) return undefined
    highest = await step(walk)
  }
  const [lowest] = first.keys
  // The first record was inserted between two statements: without a start bound the list cannot be followed.
  if (!lowest && highest) return undefined
  return createPageIndex(query.sort, walk.blocks, lowest && highest ? { lowest, highest } : null, blockRecords)
}

type IndexWalk = {
  readonly list: OpenList
  readonly blockRecords: number
  readonly blocks: Block[]
  after: SortKey | null
  characters: number
}

async function step(walk: IndexWalk): Promise<SortKey | null | undefined> {
  const { list, blockRecords } = walk
  const ahead = await readAnchors(list, { after: walk.after, blockRecords, most: BLOCKS_PER_STEP })
  for (const key of ahead.keys) add(walk, key, ahead.view)
  return ahead.keys.length > 0 ? undefined : readRest(walk)
}

async function readRest(walk: IndexWalk): Promise<SortKey | null | undefined> {
  const { list, blockRecords, after } = walk
  const rest = await readKeys(list, { after, skip: 0, limit: blockRecords })
  const full = rest.keys[blockRecords - 1]
  // The missing records may have been added in between.
  if (full) return add(walk, full, rest.view)
  walk.blocks.push({ after, count: rest.keys.length, seen: rest.view })
  return rest.keys.at(-1) ?? after
}

function add(walk: IndexWalk, next: SortKey, seen: CommitSnapshot): undefined {
  walk.blocks.push({ after: walk.after, count: walk.blockRecords, seen })
  walk.after = next
  walk.characters += next.reduce<number>((sum, part) => sum + String(part).length, 0)
}

async function readInOnePass(walk: IndexWalk): Promise<SortKey | null | undefined> {
  const { keys, view } = await readAllAnchors(walk.list, walk.blockRecords)
  walk.blocks.length = 0
  walk.after = null
  for (const key of keys) add(walk, key, view)
  return readRest(walk)
}
