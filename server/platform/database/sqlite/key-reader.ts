import type { CellValue } from '#server/platform/database/database.ts'
import type { Execute, StatementResult } from '#server/platform/database/kysely-driver.ts'
import { toBindValue } from './thread/bind-value.ts'
import { openConnection } from './thread/open-connection.ts'
import { rowsAsObjects } from './thread/row-objects.ts'
import { columnsOf, statementCache } from './thread/statement-cache.ts'
import type { StatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'

/** Reads of single rows by their key, and of few rows, on the event loop. */
export type KeyReader = {
  readonly execute: Execute
  /** The same for a statement that a thread has run before. */
  readonly executeKnown: Execute
  /** To be called when tables changed, before anybody can know of it. */
  readonly forgetStatements: () => void
  readonly close: () => void
}

/** What a key reader is made from. */
export type KeyReaderDeps = {
  readonly file: string
  /** How long statements take; shared with the threads. */
  readonly memory: StatementTimings
  /** Where a statement runs that is not for the event loop: in a thread. */
  readonly elsewhere: Execute
}

/**
 * A statement that takes longer than this has no place on the event loop, in ms. A row by its key takes 0.02 ms; where
 * the disk is slow and the row is not in memory, threads do the waiting.
 */
const MAX_MAIN_THREAD_MS = 1

/**
 * A connection of the main thread. To wake a thread and be woken by it costs 0.1 ms of processor and more than that of
 * time: five times what such a read itself takes. Whatever goes wrong here is asked again in a thread, which has the
 * patience for a busy file and the words for every fault.
 */
export function openKeyReader({ file, memory, elsewhere }: KeyReaderDeps): KeyReader {
  const db = openConnection({ role: 'reader', file, waitsForOthers: false })
  const statements = statementCache(db)

  function readHere(text: string, parameters: readonly unknown[]): StatementResult {
    const prepared = statements.find(text)
    // Raw mode is on for every statement that answers rows: each row is a list of cells.
    const rows = prepared.statement.all(...parameters.map(toBindValue)) as CellValue[][]
    return { rows: rowsAsObjects({ columns: columnsOf(prepared, rows[0]), rows }) }
  }

  function tryHere(text: string, parameters: readonly unknown[]): StatementResult | undefined {
    if (!db.open || memory.usualMs(text) > MAX_MAIN_THREAD_MS) return undefined
    const startedAt = performance.now()
    try {
      return readHere(text, parameters)
    } catch {
      return undefined
    } finally {
      memory.remember(text, performance.now() - startedAt)
    }
  }

  return {
    execute: async (text, parameters) => tryHere(text, parameters) ?? elsewhere(text, parameters),
    executeKnown: async (text, parameters) =>
      (memory.isKnown(text) ? tryHere(text, parameters) : undefined) ?? elsewhere(text, parameters),
    forgetStatements: statements.clear,
    close: () => {
      statements.clear()
      db.close()
    },
  }
}
