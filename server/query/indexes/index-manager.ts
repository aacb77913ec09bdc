import {
  decideIndex,
  type IndexedField,
  INDEX_MIN_RECORDS,
  indexContains,
  indexCovers,
  indexesForLinks,
  indexForGroups,
  indexForQuery,
  type IndexSpec,
  isUnused,
  type LinkIndex,
  SLOW_QUERY_MS,
} from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import { fitsCollection } from '#server/query/compile/compile-index.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import type { IsIndexed, RecordQueryTime, TimedQuery } from '#server/query/run/slow-query-log.ts'
import { buildIndex, removeIndex, type IndexDeps } from './build-index.ts'
import { findDatabaseIndexes, loadIndexes, markReady, saveIndexUses, staleTables, type StoredIndex } from './store.ts'

/**
 * Updates PostgreSQL's statistics and visibility map, which index-only scans need. Autovacuum runs only after a fifth
 * of a table has changed, so importing 100,000 records into a million never triggers it.
 */
export async function analyzeStaleTables(
  { database }: Pick<IndexDeps, 'database'>,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  if (database.dialect !== 'postgres') return
  for (const table of await staleTables(database.read)) await run(`vacuum (analyze) "${table}"`)
}

/** Interval in ms at which index uses are recorded. */
const USE_NOTED_EVERY_MS = 60 * 60 * 1000

type IndexRegistry = {
  readonly areIn: (collection: CollectionId) => boolean
  readonly serving: (
    collection: CollectionId,
    want: IndexSpec,
    further?: readonly IndexedField[],
  ) => StoredIndex | undefined
  readonly noteUse: (index: StoredIndex) => void
  readonly learn: () => Promise<void>
  readonly writeUses: () => Promise<void>
}

function createIndexRegistry({ database, clock }: Pick<IndexDeps, 'database' | 'clock'>): IndexRegistry {
  let known = new Map<CollectionId, StoredIndex[]>()
  const usedAt = new Map<string, string>()

  return {
    areIn: (collection) => known.has(collection),
    serving: (collection, want, further = []) =>
      known.get(collection)?.find(({ spec }) => indexCovers(spec, want) && indexContains(spec, further)),
    noteUse: (index) => {
      const now = clock()
      const isDue = now.getTime() - Date.parse(index.usedAt) >= USE_NOTED_EVERY_MS
      if (isDue) usedAt.set(index.id, now.toISOString())
    },
    learn: async () => {
      known = Map.groupBy(await loadIndexes(database.read), ({ collection }) => collection)
    },
    writeUses: async () => {
      const uses = new Map(usedAt)
      usedAt.clear()
      if (uses.size > 0) await database.write((transaction) => saveIndexUses(transaction, uses))
    },
  }
}

/** Reconciles recorded and existing indexes: removes unused and outdated ones. Runs in one process at a time. */
async function cleanUpIndexes(deps: IndexDeps, run: (statement: string) => Promise<void>): Promise<void> {
  const { database, definitions, clock } = deps
  const { byId, timeZone } = await definitions.current()
  const there = await findDatabaseIndexes(database.read, database.dialect)
  const written = await loadIndexes(database.read)
  for (const index of written) {
    const collection = byId.get(index.collection)
    const isWhole = there.get(index.id)?.isWhole === true
    const isWanted =
      collection !== undefined && fitsCollection(index.spec, { collection, timeZone }) && !isUnused(index, clock())
    if (!isWhole || !isWanted) await removeIndex(deps, index.id, run)
    else if (index.state === 'building') {
      await database.write((transaction) => markReady(transaction, index.id, clock().toISOString()))
    }
  }
  const known = new Set(written.map(({ id }) => id))
  for (const id of there.keys()) if (!known.has(id)) await removeIndex(deps, id, run)
}

/** Interval in ms for cleaning up indexes, analyzing tables and recording index uses. */
const CLEANUP_INTERVAL_MS = 2 * 60 * 1000

/** Delay in ms before a failed index request is retried. */
const RETRY_AFTER_MS = 10 * 60 * 1000

export type IndexManager = {
  readonly note: RecordQueryTime
  readonly isIndexed: IsIndexed
  readonly start: () => Promise<void>
  readonly settled: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Builds indexes that calculations in the background need, and keeps them while they are requested. */
  readonly keep: (links: readonly LinkIndex[]) => Promise<void>
}

/**
 * Creates indexes based on observed queries: a slow query on a large collection triggers an index build in the
 * background.
 */
export function createIndexManager(deps: IndexDeps): IndexManager {
  const known = createIndexRegistry(deps)
  const requests = createIndexQueue(deps)
  const upkeep = createIndexWorker(deps, known, requests)
  let timer: NodeJS.Timeout | undefined

  function note(requested: TimedQuery): void {
    const { query, grouping, tookMs } = requested
    if (!upkeep.isRunning()) return
    const collection = query.collection.id
    if (tookMs >= SLOW_QUERY_MS || known.areIn(collection)) {
      const spec = grouping ? indexForGroups(query, grouping) : indexForQuery(query)
      if (spec !== null) noteWanted({ collection, spec }, tookMs)
    }
    for (const link of indexesForLinks(query)) noteWanted(link, tookMs)
  }

  function noteWanted({ collection, spec }: IndexRequest, tookMs: number): void {
    const serving = known.serving(collection, spec)
    if (serving) known.noteUse(serving)
    else if (tookMs >= SLOW_QUERY_MS && requests.add({ collection, spec })) upkeep.build()
  }

  return {
    note,
    isIndexed: (collection, want, further) => known.serving(collection, want, further) !== undefined,
    settled: upkeep.settled,
    keep: async (links) => {
      for (const link of links) noteWanted(link, SLOW_QUERY_MS)
      await upkeep.settled()
    },
    start: async () => {
      await known.learn()
      upkeep.start()
      upkeep.tidySoon()
      timer = setInterval(upkeep.tidySoon, CLEANUP_INTERVAL_MS).unref()
    },
    stop: async () => {
      clearInterval(timer)
      await upkeep.stop()
      await known.writeUses()
    },
  }
}

function createIndexWorker(deps: IndexDeps, known: IndexRegistry, requests: IndexQueue) {
  const stopping = new AbortController()
  const { signal } = stopping
  let isRunning = false
  let working: Promise<void> | undefined
  let isTidyDue = false
  let isAnalysisDue = false
  let analysis: AbortController | undefined

  function work(): void {
    working ??= withoutCancellation(workThrough).finally(() => {
      working = undefined
    })
  }

  async function workThrough(): Promise<void> {
    for (let step = nextStep(); step; step = nextStep()) {
      await step.then(undefined, (error: unknown) => {
        if (isRunning) deps.log.warn({ err: error }, 'index manager failed')
      })
    }
  }

  function nextStep(): Promise<void> | undefined {
    if (!isRunning) return undefined
    if (isTidyDue) {
      isTidyDue = false
      isAnalysisDue = true
      return tidy(deps, known, signal)
    }
    if (requests.hasAny()) return requests.fulfil((request) => buildRequested(deps, known, request, signal))
    return isAnalysisDue ? analyze() : undefined
  }

  /** Stops when an index is requested and starts again after its build, because it can take minutes. */
  async function analyze(): Promise<void> {
    const interruption = new AbortController()
    analysis = interruption
    isAnalysisDue = false
    const task = { name: 'indexes', signal: AbortSignal.any([signal, interruption.signal]) }
    await deps.database
      .maintain({ ...task, work: (run) => analyzeStaleTables(deps, run) })
      .then(undefined, (error: unknown) => {
        if (!interruption.signal.aborted) throw error
        isAnalysisDue = true
      })
      .finally(() => {
        analysis = undefined
      })
  }

  return {
    isRunning: () => isRunning,
    build: () => {
      analysis?.abort()
      work()
    },
    tidySoon: () => {
      isTidyDue = true
      work()
    },
    start: () => {
      isRunning = true
    },
    settled: async () => {
      while (working) await working
    },
    stop: async () => {
      isRunning = false
      stopping.abort()
      await working
    },
  }
}

async function tidy(deps: IndexDeps, known: IndexRegistry, signal: AbortSignal): Promise<void> {
  await known.writeUses()
  await deps.database.maintain({ name: 'indexes', signal, work: (run) => cleanUpIndexes(deps, run) })
  await known.learn()
}

type IndexQueue = ReturnType<typeof createIndexQueue>

type BuildOutcome = 'done' | 'interrupted' | 'in vain'

type IndexRequest = { readonly collection: CollectionId; readonly spec: IndexSpec }

function createIndexQueue({ clock, log }: Pick<IndexDeps, 'clock' | 'log'>) {
  const requests = new Map<string, IndexRequest>()
  const inVainAtMs = new Map<string, number>()

  return {
    hasAny: () => requests.size > 0,
    add: (request: IndexRequest): boolean => {
      const key = JSON.stringify(request)
      const triedAtMs = inVainAtMs.get(key) ?? Number.NEGATIVE_INFINITY
      if (clock().getTime() - triedAtMs < RETRY_AFTER_MS) return false
      inVainAtMs.delete(key)
      requests.set(key, request)
      return true
    },
    fulfil: async (tryIt: (request: IndexRequest) => Promise<BuildOutcome>): Promise<void> => {
      const [first] = requests
      if (!first) return
      const [key, request] = first
      const outcome = await tryIt(request).then(undefined, (error: unknown) => {
        log.warn({ err: error, collection: request.collection }, 'index creation failed')
        return 'in vain'
      })
      requests.delete(key)
      if (outcome === 'in vain') inVainAtMs.set(key, clock().getTime())
    },
  }
}

async function buildRequested(
  deps: IndexDeps,
  known: IndexRegistry,
  { collection: id, spec }: IndexRequest,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const { database, definitions, clock } = deps
  const collection = (await definitions.current()).byId.get(id)
  if (!collection || !(await hasMoreRows(database.read, id, INDEX_MIN_RECORDS - 1))) return 'in vain'
  const outcome = decideIndex(spec, await loadIndexes(database.read, id), clock())
  if (outcome.type === 'full') return 'in vain'
  if (outcome.type === 'build') {
    const order = { collection, spec, insteadOf: outcome.insteadOf }
    const work = (run: (statement: string) => Promise<void>) => buildIndex(deps, order, run).then(() => 'built')
    // An interrupted build is repeated once the list is read again.
    if ((await database.maintain({ name: 'indexes', signal, work })) === undefined) return 'interrupted'
  }
  await known.learn()
  return known.serving(id, spec) ? 'done' : 'in vain'
}
