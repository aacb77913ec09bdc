import type { Field } from '#domain/fields/field.ts'
import { positionChange } from '#domain/query/list/evaluate-change.ts'
import { startingAt } from '#domain/query/list/records-query.ts'
import { BLOCK_RECORDS, type PageIndex, applyPositionChange, anchorOf } from '#domain/query/list/page-index.ts'
import { EMPTY_SNAPSHOT } from '#server/platform/database/database.ts'
import { type RowPage, selectPage } from '#server/query/run/run-records-query.ts'
import {
  type ResultCacheDeps,
  type ResultSnapshot,
  type RecordUpdate,
  createResultCache,
} from '#server/query/cache/result-cache.ts'
import { readPageIndex } from './read-page-index.ts'

import { cacheSubjectOf, type Listing, type ListSubject } from '#server/query/cache/cache-subject.ts'
import { createLinkedTargetCache } from '#server/query/cache/linked-target-cache.ts'

/** Offset up to which the database skips rows fast enough without a page index. */
const DEEP_PAGE_OFFSET = 1000

/** A list of a million records has 10,000 blocks of some 150 bytes, so this holds about ten of them. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ENTRIES = 200

/**
 * Finds pages, deep ones with a page index of the list. The first request for a deep page triggers its loading in the
 * background and is served without it.
 */
export function createPageCache(deps: ResultCacheDeps) {
  const shapes = createResultCache<ListSubject, PageIndex>(deps, {
    follow: indexAfterChange,
    bytesOf,
    mostEntries: MAX_ENTRIES,
    mostBytes: MAX_BYTES,
  })
  const thingsIn = createLinkedTargetCache(deps)

  return async (asked: Listing, fields?: readonly Field[]): Promise<RowPage> => {
    const { query, definitionsVersion } = asked
    const scope = { ...asked.scope, keepThings: thingsIn(definitionsVersion) }
    const listing = { ...asked, scope }
    const { after, ordinal } = query.page
    if (after !== null || ordinal < BLOCK_RECORDS) return selectPage(scope, query, fields)

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

/** A worn page index is dropped and read again on demand. */
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
  // Keys of one list have similar lengths.
  const letters = (second?.after ?? []).reduce<number>((sum, part) => sum + String(part).length, 0)
  return blocks.length * (BYTES_PER_BLOCK + letters * 2)
}
