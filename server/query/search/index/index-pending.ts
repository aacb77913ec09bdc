import type { Logger } from 'pino'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { ChangeFeed, CommitNotice } from '#server/platform/events/change-feed.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { findPending, indexPendingRows } from './full-text-store.ts'

type PendingDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly feed: ChangeFeed
  readonly log: Logger
  readonly onIndexed: (collection: CollectionId) => void
}

/** Number of written records above which indexing no longer waits for a pause. Searches scan that many records. */
const MAX_PENDING = 500

/** Pause in ms between writes after which their records are indexed. */
const PAUSE_MS = 200

/**
 * Target duration of a batch in ms, including the commit. Concurrent writers wait about this long, and as long again if
 * values are being calculated.
 */
const TARGET_BATCH_MS = 20
export const INITIAL_BATCH = 200
const MAX_BATCH = 5_000

/** The next batch size, based on the duration of the last batch, because texts can be long; changes by at most half. */
export function nextBatch(count: number, tookMs: number, targetMs: number): number {
  const change = Math.max(0.5, Math.min(2, targetMs / Math.max(1, tookMs)))
  return Math.max(1, Math.min(MAX_BATCH, Math.round(count * change)))
}

/**
 * Indexes all records that are marked as pending, one collection after another. Those that are written meanwhile wait
 * for the next run, because each batch is a commit.
 */
export async function indexPending(
  { database, definitions, onIndexed }: Pick<PendingDeps, 'database' | 'definitions' | 'onIndexed'>,
  signal: AbortSignal,
  size = { count: INITIAL_BATCH },
): Promise<void> {
  const done = new Set<CollectionId>()
  while (!signal.aborted) {
    const next = await findPending(database.readBriefly, done)
    if (next === undefined) return
    // Definitions that aren't cached would be loaded by every write.
    await definitions.current()
    // A batch's own wait for other writers doesn't count.
    let beganMs = performance.now()
    const { count } = size
    // A batch that fails because it takes too long is repeated with fewer records.
    size.count = Math.max(1, Math.floor(count / 2))
    const indexed = await database.write(
      (transaction) => {
        beganMs = performance.now()
        return indexSome(transaction, definitions, next, count)
      },
      { isLong: true, mayBeLost: true },
    )
    size.count = nextBatch(count, performance.now() - beganMs, TARGET_BATCH_MS)
    if (indexed < count) done.add(next)
    if (indexed > 0) onIndexed(next)
  }
}

/** Returns the number of indexed records. */
async function indexSome(
  transaction: Transaction,
  definitions: DefinitionsCache,
  id: CollectionId,
  count: number,
): Promise<number> {
  const { byId, searchParts, timeZone } = await definitions.within(transaction)
  const collection = byId.get(id)
  return collection ? indexPendingRows(transaction, searchParts.get(id) ?? [], { collection, timeZone }, count) : 0
}

/** Indexes changed records in the background, once no more are being written or many are pending. */
export function createPendingIndexer(deps: PendingDeps) {
  const stopping = new AbortController()
  let unsubscribe = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  let indexing: Promise<void> | undefined
  let written = 0
  const size = { count: INITIAL_BATCH }

  async function run(): Promise<void> {
    written = 0
    await indexPending(deps, stopping.signal, size).then(undefined, (error: unknown) =>
      deps.log.error({ err: error }, 'indexing changed records failed'),
    )
    indexing = undefined
    if (written > 0 && !stopping.signal.aborted) timer?.refresh()
  }

  return {
    start: (): void => {
      timer = setTimeout(() => {
        indexing ??= run()
      }, PAUSE_MS).unref()
      unsubscribe = deps.feed.subscribe((notice) => {
        const waits = written < MAX_PENDING
        written += countRecords(notice)
        if (waits) timer?.refresh()
      })
    },
    /** Looks for records that another process has changed. */
    checkSoon: (): void => void timer?.refresh(),
    stop: async (): Promise<void> => {
      stopping.abort()
      unsubscribe()
      clearTimeout(timer)
      await indexing
    },
  }
}

const countRecords = ({ changed }: CommitNotice): number =>
  changed === 'everything'
    ? 1
    : [...changed.values()].reduce((sum, records) => sum + (records === 'many' ? MAX_PENDING : records.length), 0)
