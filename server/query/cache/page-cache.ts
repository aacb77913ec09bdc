import type { Field } from '#domain/fields/field.ts'
import { markChecked } from '#domain/query/check/check-filter.ts'
import { ALL_RECORDS, type Leaf } from '#domain/query/check/checked-filter.ts'
import { collectionsRead, dependsOnUserNames, positionChange } from '#domain/query/list/evaluate-change.ts'
import {
  anchorOf,
  applyPositionChange,
  type Block,
  BLOCK_RECORDS,
  createPageIndex,
  type PageIndex,
  type SortKey,
} from '#domain/query/list/page-index.ts'
import { type CheckedRecordsQuery, identityOf, startingAt } from '#domain/query/list/records-query.ts'
import { NO_SEARCH } from '#domain/query/list/search.ts'
import { sortKeyOf } from '#domain/query/list/sort.ts'
import { NO_LOOKUP } from '#domain/query/run/read-values.ts'
import { EMPTY_SNAPSHOT } from '#server/platform/database/database.ts'
import { PEOPLE } from '#server/platform/events/change-feed.ts'
import { cacheSubjectOf, type Listing, type ListSubject } from '#server/query/cache/cache-subject.ts'
import {
  type CacheSubject,
  createResultCache,
  type RecordUpdate,
  type ResultCacheDeps,
  type ResultSnapshot,
} from '#server/query/cache/result-cache.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import { indexedPartOf } from '#server/query/run/find-page.ts'
import type {
  CacheLinkedTargets,
  LinkedTargets,
  LinkedTargetsQuery,
  QueryScope,
} from '#server/query/run/query-scope.ts'
import { type RowPage, selectPage } from '#server/query/run/run-records-query.ts'
import { type OpenList, openList, readAllAnchors, readAnchors, type ReadKeys, readKeys } from './page-index-store.ts'

/** Blocks per step: at first eight hundred records, in about two ms. */
const BLOCKS_PER_STEP = 8

/** At this number of blocks, neighboring blocks are joined, so that a list of any length fits into memory. */
const MAX_BLOCKS = 25_000

/** If a step takes longer than this (in ms), it isn't using an index, so one pass over the list is cheaper. */
const SLOW_STEP_MS = 40

/** Maximum size of a list's keys in memory, in characters; lists sorted by very long text have no page index. */
const MAX_KEY_CHARACTERS = 8_000_000

/** Sorting the records of a larger collection in one pass would exceed the time limit of a statement. */
const MAX_SORTED = 3_000_000

/** Maximum duration in ms; other reads run between the steps. Ten million records take about a minute. */
const TIMEOUT_MS = 300_000

export type PageIndexOptions = {
  readonly nowMs: () => number
  readonly blockRecords?: number
  readonly maxBlocks?: number
  readonly maxSorted?: number
}

/**
 * Builds a page index: in short steps along a database index, or in one pass if every row must be read anyway and there
 * aren't too many, because sequential reads cost only a third as much. Undefined if it would take too much time or memory.
 */
export async function readPageIndex(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  { nowMs, blockRecords = BLOCK_RECORDS, maxBlocks = MAX_BLOCKS, maxSorted = MAX_SORTED }: PageIndexOptions,
): Promise<PageIndex | undefined> {
  const list = await openList(scope, query)
  const first = await readKeys(list, { after: null, skip: 0, limit: 1 })
  const walk: IndexWalk = { list, maxBlocks, blockRecords, blocks: [], after: null, characters: 0 }
  const highest = await readBlocks(walk, nowMs, maxSorted)
  const [lowest] = first.keys
  // The list's first record was inserted between the two reads. Without a lower bound, changes to the list can't be
  // tracked.
  if (highest === undefined || (!lowest && highest)) return undefined
  return createPageIndex(query.sort, walk.blocks, lowest && highest ? { lowest, highest } : null, walk.blockRecords)
}

/** Returns the last key; undefined if reading the blocks would take too much time or memory. */
async function readBlocks(
  walk: IndexWalk,
  nowMs: () => number,
  maxSorted: number,
): Promise<SortKey | null | undefined> {
  const { scope, query } = walk.list
  const startedAtMs = nowMs()
  const isSortable = async () => !(await hasMoreRows(scope.reader, query.collection.id, maxSorted))
  const isIndexed = indexedPartOf(scope, query) !== undefined
  let highest = isIndexed && (await isSortable()) ? await readInOnePass(walk) : await step(walk)
  if (highest === undefined && !isIndexed && nowMs() - startedAtMs > SLOW_STEP_MS) {
    if (!(await isSortable())) return undefined
    highest = await readInOnePass(walk)
  }
  while (highest === undefined) {
    const isTooLarge = walk.characters > MAX_KEY_CHARACTERS || walk.blocks.length > 2 * walk.maxBlocks
    if (isTooLarge || nowMs() - startedAtMs > TIMEOUT_MS) return undefined
    highest = await step(walk)
  }
  return highest
}

type IndexWalk = {
  readonly list: OpenList
  readonly maxBlocks: number
  blockRecords: number
  blocks: Block[]
  after: SortKey | null
  characters: number
}

async function step(walk: IndexWalk): Promise<SortKey | null | undefined> {
  const { list, blockRecords } = walk
  const ahead = await readAnchors(list, { after: walk.after, blockRecords, max: BLOCKS_PER_STEP })
  addAll(walk, ahead)
  return ahead.keys.length > 0 ? undefined : readRest(walk)
}

async function readRest(walk: IndexWalk): Promise<SortKey | null | undefined> {
  const { list, blockRecords, after } = walk
  const rest = await readKeys(list, { after, skip: 0, limit: blockRecords })
  const full = rest.keys[blockRecords - 1]
  // Records inserted since the previous read may have filled the block.
  if (full) return addAll(walk, { keys: [full], view: rest.view })
  walk.blocks.push({ after, count: rest.keys.length, seen: rest.view })
  return rest.keys.at(-1) ?? after
}

/** Adds blocks that end at these keys; each contains as many records as the walk's current block size. */
function addAll(walk: IndexWalk, { keys, view }: ReadKeys): undefined {
  for (const key of keys) {
    walk.blocks.push({ after: walk.after, count: walk.blockRecords, seen: view })
    walk.after = key
    walk.characters += lengthOf(key)
  }
  while (walk.blocks.length > walk.maxBlocks && joinBlocks(walk));
}

const lengthOf = (key: SortKey | null): number =>
  (key ?? []).reduce<number>((sum, part) => sum + String(part).length, 0)

/**
 * Joins pairs of neighboring blocks that include the same commits, and doubles the size of further blocks. False if
 * there are too few such pairs, because every block was read at a different time.
 */
function joinBlocks(walk: IndexWalk): boolean {
  const joined: Block[] = []
  for (const block of walk.blocks) {
    const last = joined.at(-1)
    if (last?.seen === block.seen && last.count + block.count <= 2 * walk.blockRecords) {
      joined[joined.length - 1] = { ...last, count: last.count + block.count }
    } else joined.push(block)
  }
  if (joined.length > MIN_JOINED * walk.blocks.length) return false
  walk.blockRecords *= 2
  walk.blocks = joined
  walk.characters = joined.reduce((sum, { after }) => sum + lengthOf(after), 0)
  return true
}

const MIN_JOINED = 0.8

async function readInOnePass(walk: IndexWalk): Promise<SortKey | null | undefined> {
  const all = await readAllAnchors(walk.list, walk.blockRecords)
  walk.blocks = []
  walk.after = null
  addAll(walk, all)
  return readRest(walk)
}

type TargetsSubject = CacheSubject & { readonly leaf: Leaf }

const MAX_TARGETS = 100
const MAX_TARGET_BYTES = 4 * 1024 * 1024

/**
 * Caches the sort order of a field's linked records, such as a few hundred names by which a million records are sorted.
 * Reloaded when a linked record changes, or when a record links to an uncached record.
 */
function createLinkedTargetCache(deps: ResultCacheDeps): (definitionsVersion: number) => CacheLinkedTargets {
  const keeping = {
    follow: targetsAfterChange,
    bytesOf: bytesOfTargets,
    maxEntries: MAX_TARGETS,
    maxBytes: MAX_TARGET_BYTES,
  }
  const things = createResultCache<TargetsSubject, LinkedTargets>(deps, keeping)
  return (definitionsVersion) => (requested, read) => things.read(targetsSubjectOf(requested, definitionsVersion), read)
}

/**
 * The cache key for a field's linked records, including the conditions that determine which of them the reader can see.
 */
function targetsSubjectOf({ collection, order }: LinkedTargetsQuery, definitionsVersion: number): TargetsSubject {
  const all = { collection, where: markChecked(ALL_RECORDS), search: NO_SEARCH }
  const { leaf, named } = order
  return {
    key: identityOf(definitionsVersion, collection.id, leaf, named),
    collection: collection.id,
    reached: new Set([...collectionsRead(all, named), ...(dependsOnUserNames(all, named) ? [PEOPLE] : [])]),
    leaf,
  }
}

/** After a record is deleted, the list may contain a target without links, which is harmless. */
function targetsAfterChange(
  things: LinkedTargets,
  { change }: RecordUpdate,
  { leaf }: TargetsSubject,
): LinkedTargets | undefined {
  if (change.after === null) return things
  const [pointed] = sortKeyOf([{ steps: [], leaf, keyType: 'value', isDescending: false }], change.after, NO_LOOKUP)
  if (pointed === null || pointed === undefined) return things
  return things?.some(({ ids }) => ids.includes(String(pointed))) ? things : undefined
}

const BYTES_PER_TARGET = 200

const bytesOfTargets = (things: LinkedTargets): number => (things?.length ?? 0) * BYTES_PER_TARGET

/** Maximum offset at which the database skips rows fast enough without a page index. */
const DEEP_PAGE_OFFSET = 1000

/** Fits about ten page indexes for lists of a million records (10,000 blocks of about 150 bytes each). */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ENTRIES = 200

/** Finds pages. The first request for a deep page starts loading the list's page index but doesn't wait for it. */
export function createPageCache(deps: ResultCacheDeps) {
  const shapes = createResultCache<ListSubject, PageIndex>(deps, {
    follow: indexAfterChange,
    bytesOf,
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
  })
  const thingsIn = createLinkedTargetCache(deps)

  return async (requested: Listing, fields?: readonly Field[]): Promise<RowPage> => {
    const { query, definitionsVersion } = requested
    const scope = { ...requested.scope, keepThings: thingsIn(definitionsVersion) }
    const listing = { ...requested, scope }
    const { after, ordinal } = query.page
    // A page index would have to follow the moves of records.
    const isManual = query.sort.some(({ view }) => view !== undefined)
    if (after !== null || ordinal < BLOCK_RECORDS || isManual) return selectPage(scope, query, fields)

    const about = cacheSubjectOf(listing, query.sort)
    const shape = shapes.now(about)
    if (shape) return selectPage(scope, startingAt(query, anchorOf(shape, ordinal)), fields)

    if (ordinal >= DEEP_PAGE_OFFSET) void shapes.prepare(about, () => loadPageIndex(listing, deps.nowMs))
    return selectPage(scope, query, fields)
  }
}

async function loadPageIndex(
  { scope, query }: Listing,
  nowMs: () => number,
): Promise<ResultSnapshot<PageIndex> | undefined> {
  const value = await readPageIndex(scope, query, { nowMs })
  return value && { value, view: EMPTY_SNAPSHOT }
}

/** A page index whose blocks have grown too large is dropped and reloaded on demand. */
function indexAfterChange(
  shape: PageIndex,
  { mark, change }: RecordUpdate,
  { list }: ListSubject,
): PageIndex | undefined {
  const move = positionChange(list, shape.sort, change)
  const next = move && applyPositionChange(shape, move, mark)
  return next?.needsRebuild ? undefined : next
}

const BYTES_PER_BLOCK = 100

function bytesOf({ blocks }: PageIndex): number {
  const [, second] = blocks
  // Keys in a list have similar lengths, so one key suffices to estimate the total size.
  return blocks.length * (BYTES_PER_BLOCK + lengthOf(second?.after ?? null) * 2)
}
