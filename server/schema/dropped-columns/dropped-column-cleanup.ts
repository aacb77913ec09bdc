import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { ChangeFeed } from '#server/platform/events/change-feed.ts'
import type { Database } from '#server/platform/database/database.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { clearBatch, retiredColumns, nextBatchEnd, markCleared } from './dropped-columns-store.ts'

/** Pause between two batches in ms. */
const PAUSE_MS = 10

export type ColumnCleanupDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly feed: ChangeFeed
  readonly log: Logger
}

export type ColumnCleanup = {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly settled: () => Promise<void>
}

/**
 * On SQLite, clears the columns of fields deleted from large collections in batches, because dropping a column would
 * rewrite the whole table and block writers. Interrupted work is found by the column's name.
 */
export function createColumnCleanup(deps: ColumnCleanupDeps): ColumnCleanup {
  const stopping = new AbortController()
  let end = (): void => undefined
  let working: Promise<void> = Promise.resolve()
  let isRequested = false

  function wake(): void {
    if (isRequested || stopping.signal.aborted) return
    isRequested = true
    working = withoutCancellation(() => working.then(work))
  }

  async function work(): Promise<void> {
    isRequested = false
    await clearAllColumns(deps, stopping.signal).then(undefined, (error: unknown) => {
      if (!stopping.signal.aborted) deps.log.error({ err: error }, 'cleanup of deleted field values failed')
    })
  }

  return {
    start: () => {
      if (deps.database.dialect === 'postgres') return
      const unsubscribe = deps.feed.subscribe(({ changed }) => {
        if (changed === 'everything') wake()
      })
      end = unsubscribe
      wake()
    },
    stop: async () => {
      end()
      stopping.abort()
      await working
    },
    settled: () => working,
  }
}

async function clearAllColumns(deps: ColumnCleanupDeps, signal: AbortSignal): Promise<void> {
  const { byId } = await deps.definitions.current()
  for (const retired of await retiredColumns(deps.database.readBriefly)) {
    if (byId.has(retired.id) && !signal.aborted) await clearColumn(deps, retired, signal)
  }
}

async function clearColumn(
  { database, definitions }: ColumnCleanupDeps,
  { id, column }: { readonly id: CollectionId; readonly column: string },
  signal: AbortSignal,
): Promise<void> {
  let behind = '0'
  for (;;) {
    if (signal.aborted) return
    const left = { collection: id, column, behind }
    const last = await nextBatchEnd(database.read, left)
    // The collection may have been deleted in the meantime, so the write checks that it still exists.
    const isOver = await database.write(async (transaction) => {
      if (!(await definitions.within(transaction)).byId.has(id)) return true
      await (last === undefined ? markCleared(transaction, left) : clearBatch(transaction, left, last))
      return last === undefined
    })
    if (isOver) return
    behind = last ?? behind
    await pause(PAUSE_MS)
  }
}
