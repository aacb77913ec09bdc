import {
  INDEX_MIN_RECORDS,
  type IndexSpec,
  SLOW_QUERY_MS,
  decideIndex,
  indexCovers,
  indexForGroups,
  indexForQuery,
  isUnused,
} from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import type { IsIndexed, RecordQueryTime, TimedQuery } from '#server/query/run/slow-query-log.ts'
import { buildIndex, removeIndex } from './build-index.ts'
import type { IndexDeps } from './index-deps.ts'
import { findDatabaseIndexes, hasRows, loadIndexes, markReady, saveIndexUses } from './store.ts'
import { analyzeStaleTables } from './analyze-tables.ts'
import { fitsCollection } from '#server/query/compile/compile-index.ts'
import type { StoredIndex } from './stored-index.ts'

/** A use is written down when the last one that was is older than this, in ms. */
const USE_NOTED_EVERY_MS = 60 * 60 * 1000

/** The indexes there are, in memory, and when they were last of use. */
type IndexRegistry = {
  readonly areIn: (collection: CollectionId) => boolean
  /** The index that does all this. */
  readonly serving: (collection: CollectionId, want: IndexSpec) => StoredIndex | undefined
  readonly noteUse: (index: StoredIndex) => void
  readonly learn: () => Promise<void>
  readonly writeUses: () => Promise<void>
}

/** Nothing is known before `learn`. */
function createIndexRegistry({ database, clock }: Pick<IndexDeps, 'database' | 'clock'>): IndexRegistry {
  let known = new Map<CollectionId, StoredIndex[]>()
  const usedAt = new Map<string, string>()

  return {
    areIn: (collection) => known.has(collection),
    serving: (collection, want) => known.get(collection)?.find(({ spec }) => indexCovers(spec, want)),
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

/**
 * Brings what is written of indexes and what the database has together: those that were interrupted are finished or gone,
 * and so are those that nobody used for long or whose definition has moved on. One process does it at a time.
 */
async function cleanUpIndexes(deps: IndexDeps, run: (statement: string) => Promise<void>): Promise<void> {
  const { database, definitions, clock } = deps
  const { byId } = await definitions.current()
  const there = await findDatabaseIndexes(database.read, database.dialect)
  const written = await loadIndexes(database.read)
  for (const index of written) {
    const collection = byId.get(index.collection)
    const isWhole = there.get(index.id)?.isWhole === true
    const isWanted = collection !== undefined && fitsCollection(index.spec, collection) && !isUnused(index, clock())
    if (!isWhole || !isWanted) await removeIndex(deps, index.id, run)
    else if (index.state === 'building') {
      await database.write((transaction) => markReady(transaction, index.id, clock().toISOString()))
    }
  }
  const known = new Set(written.map(({ id }) => id))
  for (const id of there.keys()) if (!known.has(id)) await removeIndex(deps, id, run)
}

/** How often indexes are tidied, tables looked over and uses written down, in ms. */
const CLEANUP_INTERVAL_MS = 2 * 60 * 1000

/** A wish that came to nothing is not tried again for so long, in ms. */
const RETRY_AFTER_MS = 10 * 60 * 1000

/** Makes and removes indexes beside the requests. */
export type IndexManager = {
  readonly note: RecordQueryTime
  readonly isIndexed: IsIndexed
  readonly start: () => Promise<void>
  /** Resolves when nothing is being made any more. */
  readonly settled: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Learns from queries which indexes are wanted: one that was slow in a large collection and that no index serves gets
 * one, made in the background, one at a time.
 */
export function createIndexManager(deps: IndexDeps): IndexManager {
  const known = createIndexRegistry(deps)
  const requests = createIndexQueue(deps)
  const upkeep = createIndexWorker(deps, known, requests)
  let timer: NodeJS.Timeout | undefined

  function note(asked: TimedQuery): void {
    const { query, grouping, tookMs } = asked
    const collection = query.collection.id
    if (!upkeep.isRunning() || (tookMs < SLOW_QUERY_MS && !known.areIn(collection))) return
    const spec = grouping ? indexForGroups(query, grouping) : indexForQuery(query)
    if (spec === null) return
    const serving = known.serving(collection, spec)
    if (serving) known.noteUse(serving)
    else if (tookMs >= SLOW_QUERY_MS && requests.add({ collection, spec })) upkeep.work()
  }

  return {
    note,
    isIndexed: (collection, want) => known.serving(collection, want) !== undefined,
    settled: upkeep.settled,
    start: async () => {
      await known.learn()
      upkeep.start()
      timer = setInterval(upkeep.tidySoon, CLEANUP_INTERVAL_MS).unref()
    },
    stop: async () => {
      clearInterval(timer)
      await upkeep.stop()
      await known.writeUses()
    },
  }
}

/** Grants wishes and tidies, one after the other. */
function createIndexWorker(deps: IndexDeps, known: IndexRegistry, requests: IndexQueue) {
  const stopping = new AbortController()
  const { signal } = stopping
  let isRunning = false
  let working: Promise<void> | undefined
  let isTidyDue = false

  function work(): void {
    working ??= withoutCancellation(workThrough).finally(() => {
      working = undefined
    })
  }

  async function workThrough(): Promise<void> {
    while (isRunning && (isTidyDue || requests.hasAny())) {
      const step = isTidyDue
        ? tidy(deps, known, signal)
        : requests.fulfil((request) => buildRequested(deps, known, request, signal))
      isTidyDue = false
      await step.then(undefined, (error: unknown) => {
        if (isRunning) deps.log.warn({ err: error }, 'index manager failed')
      })
    }
  }

  function tidySoon(): void {
    isTidyDue = true
    work()
  }

  return {
    isRunning: () => isRunning,
    work,
    tidySoon,
    start: () => {
      isRunning = true
      tidySoon()
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
  await deps.database.maintain({ name: 'indexes', signal, work: (run) => analyzeStaleTables(deps, run) })
}

type IndexQueue = ReturnType<typeof createIndexQueue>

type IndexRequest = { readonly collection: CollectionId; readonly spec: IndexSpec }

/** Wishes in the order they came, each once; one that came to nothing is not taken again for a while. */
function createIndexQueue({ clock, log }: Pick<IndexDeps, 'clock' | 'log'>) {
  const requests = new Map<string, IndexRequest>()
  const inVainAtMs = new Map<string, number>()

  return {
    hasAny: () => requests.size > 0,
    /** Whether the wish is taken. */
    add: (request: IndexRequest): boolean => {
      const key = JSON.stringify(request)
      const triedAtMs = inVainAtMs.get(key) ?? Number.NEGATIVE_INFINITY
      if (clock().getTime() - triedAtMs < RETRY_AFTER_MS) return false
      inVainAtMs.delete(key)
      requests.set(key, request)
      return true
    },
    /** Takes the first wish and tries it. */
    fulfil: async (tryIt: (request: IndexRequest) => Promise<boolean>): Promise<void> => {
      const [first] = requests
      if (!first) return
      const [key, request] = first
      const isGranted = await tryIt(request).then(undefined, (error: unknown) => {
        log.warn({ err: error, collection: request.collection }, 'index creation failed')
        return false
      })
      requests.delete(key)
      if (!isGranted) inVainAtMs.set(key, clock().getTime())
    },
  }
}

/** Whether a wish is granted in the end, by whomever. */
async function buildRequested(
  deps: IndexDeps,
  known: IndexRegistry,
  { collection: id, spec }: IndexRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, definitions, clock } = deps
  const collection = (await definitions.current()).byId.get(id)
  if (!collection || !(await hasRows(database.read, id, INDEX_MIN_RECORDS))) return false
  const outcome = decideIndex(spec, await loadIndexes(database.read, id), clock())
  if (outcome.type === 'full') return false
  if (outcome.type === 'build') {
    const order = { collection, spec, insteadOf: outcome.insteadOf }
    await database.maintain({ name: 'indexes', signal, work: (run) => buildIndex(deps, order, run) })
  }
  await known.learn()
  return known.serving(id, spec) !== undefined
}
