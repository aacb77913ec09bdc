import type { Logger } from 'pino'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { ChangeFeed, CommitNotice } from '#server/platform/events/change-feed.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { collectionsWithPending, hasPending, indexPendingRows } from './full-text-store.ts'

type PendingDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly feed: ChangeFeed
  readonly log: Logger
}

/**
 * Number of records indexed per write, and of written records above which indexing no longer waits for a pause.
 * Searches scan that many records, and concurrent writers wait for about 20 ms.
 */
const MAX_PENDING = 500

/** Pause in ms between writes after which their records are indexed. */
const PAUSE_MS = 200

/** Indexes all records that are marked as pending. */
export async function indexPending(
  { database, definitions }: Pick<PendingDeps, 'database' | 'definitions'>,
  signal: AbortSignal,
): Promise<void> {
  if (!(await hasPending(database.read))) return
  for (let isMore = true; isMore && !signal.aborted; ) {
    // Definitions that aren't cached would be loaded by every write.
    await definitions.current()
    isMore = await database.write((transaction) => indexSome(transaction, definitions), { isLong: true })
  }
}

async function indexSome(transaction: Transaction, definitions: DefinitionsCache): Promise<boolean> {
  const { byId, searchParts } = await definitions.within(transaction)
  let left = MAX_PENDING
  for (const id of await collectionsWithPending(transaction.db)) {
    const collection = byId.get(id)
    if (!collection || left === 0) continue
    left -= await indexPendingRows(transaction, searchParts.get(id) ?? [], collection, left)
  }
  return left === 0
}

/** Indexes changed records in the background, once no more are being written or many are pending. */
export function createPendingIndexer(deps: PendingDeps) {
  const stopping = new AbortController()
  let unsubscribe = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  let indexing: Promise<void> | undefined
  let written = 0

  async function run(): Promise<void> {
    written = 0
    await indexPending(deps, stopping.signal).then(undefined, (error: unknown) =>
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
    look: (): void => void timer?.refresh(),
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
    : [...changed.values()].reduce((sum, records) => sum + (records === 'much' ? MAX_PENDING : records.length), 0)
