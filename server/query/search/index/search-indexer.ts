import type { Logger } from 'pino'
import type { CollectionId, IdGenerator } from '#domain/shared/ids.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { ChangeFeed } from '#server/platform/events/change-feed.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import { textsIn } from '#server/query/search/searched-texts.ts'
import {
  ALL_ROWS,
  areBeingCalculated,
  countRows,
  dropFullTextIndex,
  findIndexRow,
  forgetIndexes,
  indexesRetiredBefore,
  indexRows,
  retireIndex,
  rowsBetween,
  saveGap,
  splitGap,
} from './full-text-store.ts'
import { publishIndexChange } from './index-records.ts'
import { createPendingIndexer, INITIAL_BATCH, nextBatch } from './index-pending.ts'
import { mergeSegments, type Pass } from './merge-segments.ts'
import { createTrigramMover } from './move-trigrams.ts'
import { syncFullTextIndexes } from './sync-definition.ts'
import { createTrigramIndexer } from './trigram-indexer.ts'

type SearchDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly feed: ChangeFeed
  readonly log: Logger
}

/** Number of batches after which their segments are merged. */
const BATCHES_PER_PASS = 16

/** Interval in ms at which progress is announced; until then, other processes scan more rows than necessary. */
const PUBLISH_INTERVAL_MS = 2_000

/** Target duration of a batch in ms: each adds a segment, so fewer and larger ones take less time in total. */
const TARGET_MS = 25

/**
 * Indexes the remaining records of a collection in batches that store their progress, so that an interrupted run can be
 * resumed.
 */
async function backfillIndex(deps: SearchDeps, part: FullTextIndex, run: IndexRun): Promise<void> {
  const { signal } = run
  // The index is built even if counting fails, for example because it takes too long.
  const report = await progressReporter(deps, part, run.shares).then(undefined, () => () => undefined)
  let count = INITIAL_BATCH
  let reportedAtMs = performance.now()
  for (let isMore = true, batches = 1; isMore && !signal.aborted; batches += 1) {
    const tells = performance.now() - reportedAtMs > PUBLISH_INTERVAL_MS
    const batch = await backfillBatch(deps, { part, count, tells })
    isMore = batch.isMore
    report(count)
    if (tells) reportedAtMs = performance.now()
    count = nextBatch(count, performance.now() - batch.beganMs, TARGET_MS)
    // A merge of a thousand segments would write to all of them in each step.
    if (batches % BATCHES_PER_PASS === 0)
      await mergeSegments(deps, part, { isThorough: false, shouldContinue: () => !signal.aborted })
  }
  run.shares.delete(part.id)
}

/** Counts the records once, because counting millions takes seconds. An import may add more in the meantime. */
async function progressReporter({ database }: SearchDeps, { id, collection, gap }: FullTextIndex, shares: Shares) {
  if (gap === null) return () => undefined
  const total = await countRows(database.read, collection, ALL_ROWS, MAX_COUNTED)
  let missing = await countRows(database.read, collection, rowsBetween(gap), MAX_COUNTED)
  const report = (indexed: number): void => {
    missing = Math.max(0, missing - indexed)
    shares.set(id, total === 0 ? 0 : Math.min(MAX_SHARE, Math.max(0, 1 - missing / total)))
  }
  report(0)
  return report
}

/** Only a complete index has a share of 1. */
const MAX_SHARE = 0.99

/** Above this number of records, a share is accurate enough. */
const MAX_COUNTED = 10_000_000

function backfillBatch(
  { database, definitions }: SearchDeps,
  { part, count, tells }: { readonly part: FullTextIndex; readonly count: number; readonly tells: boolean },
): Promise<{ readonly isMore: boolean; readonly beganMs: number }> {
  const work = async (transaction: Transaction) => {
    const beganMs = performance.now()
    const { byId, timeZone } = await definitions.within(transaction)
    const [collection, now] = [byId.get(part.collection), await findIndexRow(transaction, part.id)]
    if (!collection || !now?.gap || now.discardedAt !== null) return { isMore: false, beganMs }
    const { first, rest } = await splitGap(transaction, collection.id, now.gap, count)
    await indexRows(transaction, now, { collection, timeZone }, rowsBetween(first))
    await saveGap(transaction, now, rest)
    if (rest === null || tells) await publishIndexChange(transaction, definitions)
    return { isMore: rest !== null, beganMs }
  }
  return database.write(work, { isLong: true, mayBeLost: true })
}

/** Interval in ms between checks for work from other processes; changes by this process are handled immediately. */
const POLL_INTERVAL_MS = 60_000

/** Interval in ms between looks at an index whose texts are being calculated. */
const POSTPONED_MS = 500

/** Retention of a replaced index in ms, because a running statement may still read it. */
const RETIREMENT_MS = 60_000

/** The indexed share of each index that is being built, by ID. */
type Shares = Map<string, number>

type IndexRun = {
  readonly signal: AbortSignal
  /** Requests another run, for what can't be indexed yet. */
  readonly postpone: () => void
  readonly shares: Shares
  readonly merged: Merged
}

/** Collections that haven't changed since their indexes were merged. */
type Merged = Set<CollectionId>

export type SearchIndexer = {
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** The share of records in an index that is being built. */
  readonly shareOf: (index: string) => number
}

/** Maintains the full-text indexes: creates missing indexes and adds missing and changed records. */
export function createSearchIndexer(deps: SearchDeps): SearchIndexer {
  const stopping = new AbortController()
  const shares: Shares = new Map()
  const merged: Merged = new Set()
  const runPass = createPass(deps, { shares, merged, postpone: postponer(wake) })
  let timer: NodeJS.Timeout | undefined
  const { damage, dialect } = deps.database
  let batches = 0
  const onIndexed = (collection: CollectionId): void => {
    merged.delete(collection)
    if (++batches % BATCHES_PER_PASS === 0) wake()
  }
  const pending = dialect === 'sqlite' ? createPendingIndexer({ ...deps, onIndexed }) : undefined
  const lists = dialect === 'postgres' ? createTrigramMover(deps) : undefined
  const damagedParts = new Set<string>()
  let unsubscribe = (): void => undefined
  let stopHearingDamage = (): void => undefined
  let running: Promise<void> | undefined
  let isRequestedAgain = false
  let isThorough = false

  const shouldContinue = (): boolean => !isRequestedAgain && !stopping.signal.aborted

  async function runUntilIdle(): Promise<void> {
    do {
      isRequestedAgain = false
      const pass = { shouldContinue, isThorough }
      isThorough = false
      await forgetDamaged(deps, damagedParts)
        .then(() => runPass(stopping.signal, pass))
        .then(undefined, (error: unknown) => deps.log.error({ err: error }, 'search indexer failed'))
    } while (isRequestedAgain && !stopping.signal.aborted)
    running = undefined
  }

  function wake(requested = { isThorough: false }): void {
    if (stopping.signal.aborted) return
    isRequestedAgain = true
    isThorough ||= requested.isThorough
    running ??= runUntilIdle()
  }

  return {
    shareOf: (index) => shares.get(index) ?? 0,
    start: () => {
      unsubscribe = deps.feed.subscribe(({ changed }) => {
        if (changed === 'everything') wake()
        else for (const collection of changed.keys()) merged.delete(collection)
      })
      stopHearingDamage = damage.onSearchIndexDamage((parts) => {
        for (const part of parts) damagedParts.add(part)
        wake()
      })
      timer = setInterval(() => {
        wake({ isThorough: true })
        pending?.checkSoon()
      }, POLL_INTERVAL_MS).unref()
      pending?.start()
      lists?.start()
      wake({ isThorough: true })
    },
    stop: async () => {
      clearInterval(timer)
      unsubscribe()
      stopHearingDamage()
      stopping.abort()
      await pending?.stop()
      await lists?.stop()
      await running
    },
  }
}

/** The last call counts; one after the indexer was stopped does nothing. */
function postponer(wake: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(wake, POSTPONED_MS).unref()
  }
}

/** Discards damaged indexes, so that new ones are built; their tables are kept, because SQLite can't drop them. */
async function forgetDamaged({ database, definitions }: SearchDeps, damaged: Set<string>): Promise<void> {
  const parts = [...damaged]
  if (parts.length === 0) return
  await database.write(async (transaction) => {
    await forgetIndexes(transaction, parts)
    await publishIndexChange(transaction, definitions)
  })
  for (const part of parts) damaged.delete(part)
}

/** A running import adds segments faster than they can be merged, so merging starts when the import ends. */
async function mergeAll(deps: SearchDeps, run: IndexRun, pass: Pass): Promise<void> {
  const { pendingImports, searchParts } = await deps.definitions.current()
  if (pendingImports.length > 0) return
  for (const [collection, parts] of searchParts) {
    if (!pass.shouldContinue()) return
    if (pass.isThorough) await replaceDiscarded(deps, collection, run)
    if (run.merged.has(collection)) continue
    run.merged.add(collection)
    for (const part of parts)
      await mergeSegments(deps, part, { ...pass, isThorough: pass.isThorough && part.discardedAt === null })
    if (!pass.shouldContinue() || !pass.isThorough) run.merged.delete(collection)
  }
}

/** Time in ms after which a discarded index is replaced even if its collection is still changing. */
const MAX_DISCARDED_MS = 60 * 60_000

/** A collection that hasn't changed since the last thorough pass, a minute ago, isn't being emptied any more. */
async function replaceDiscarded(deps: SearchDeps, collection: CollectionId, run: IndexRun): Promise<void> {
  const parts = (await deps.definitions.current()).searchParts.get(collection) ?? []
  const latest = new Date(deps.clock().getTime() - MAX_DISCARDED_MS).toISOString()
  const discarded = parts.filter(
    ({ discardedAt }) => discardedAt !== null && (run.merged.has(collection) || discardedAt < latest),
  )
  if (discarded.length === 0) return
  await createMissing(deps, collection, discarded)
  await fillGaps(deps, collection, run)
}

type IndexPass = (signal: AbortSignal, pass: Pass) => Promise<void>

const createPass = (deps: SearchDeps, state: Omit<IndexRun, 'signal'>): IndexPass =>
  deps.database.dialect === 'postgres' ? createTrigramIndexer(deps) : createSqlitePass(deps, state)

const createSqlitePass =
  (deps: SearchDeps, state: Omit<IndexRun, 'signal'>): IndexPass =>
  async (signal, pass) => {
    await indexMissingCollections(deps, { signal, ...state })
    await mergeAll(deps, { signal, ...state }, pass)
  }

async function indexMissingCollections(deps: SearchDeps, run: IndexRun): Promise<void> {
  await removeRetired(deps)
  for (const { id } of (await deps.definitions.current()).list) {
    if (run.signal.aborted) return
    if (lacksIndex(await deps.definitions.current(), id)) await createMissing(deps, id)
    await fillGaps(deps, id, run)
  }
}

async function fillGaps(deps: SearchDeps, collection: CollectionId, run: IndexRun): Promise<void> {
  for (const part of (await deps.definitions.current()).searchParts.get(collection) ?? []) {
    if (!part.gap || part.discardedAt !== null || run.signal.aborted) continue
    run.merged.delete(collection)
    if (await areBeingCalculated(deps.database.read, part)) run.postpone()
    else await backfillIndex(deps, part, run)
  }
}

/** Creates the indexes that a collection lacks, optionally as a replacement. */
async function createMissing(
  deps: SearchDeps,
  id: CollectionId,
  replaced: readonly FullTextIndex[] = [],
): Promise<void> {
  await deps.database.write(
    async (transaction) => {
      const now = await deps.definitions.within(transaction)
      const collection = now.byId.get(id)
      if (!collection) return
      const at = deps.clock().toISOString()
      for (const part of replaced) await retireIndex(transaction, part, at)
      const ids = new Set(replaced.map((part) => part.id))
      const parts = (now.searchParts.get(id) ?? []).filter((part) => !ids.has(part.id))
      const following = { transaction, parts, at, newId: deps.newId, definitions: now }
      await syncFullTextIndexes(following, collection, collection)
      await publishIndexChange(transaction, deps.definitions)
    },
    { alone: 'definitions' },
  )
}

function lacksIndex({ byId, searchParts, timeZone }: Definitions, id: string): boolean {
  const covered = new Set(searchParts.get(id)?.flatMap(({ fields }) => fields))
  const collection = byId.get(id)
  const texts = collection ? textsIn(collection, { timeZone, dialect: 'sqlite' }) : []
  return texts.some(({ name }) => !covered.has(name))
}

async function removeRetired(deps: SearchDeps): Promise<void> {
  const { database, clock } = deps
  const at = new Date(clock().getTime() - RETIREMENT_MS).toISOString()
  for (const part of await indexesRetiredBefore(database.readBriefly, at)) {
    await database.write((transaction) => dropFullTextIndex(transaction, part))
  }
}
