import { existsSync, rmSync, writeFileSync } from 'node:fs'
import {
  type CorruptionMonitor,
  type CorruptionState,
  databaseCheckRunning,
} from '#server/platform/database/database-errors.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import { findCorruption, type CorruptedTable } from './corrupted-tables.ts'

/** Maximum wait of a write for an examination, in ms; most files take less. */
const CHECK_TIMEOUT_MS = 10_000

/** Guards a SQLite file: a reported error triggers an examination, whose result decides what may continue. */
export type CorruptionGuard = CorruptionMonitor & {
  readonly open: () => Promise<void>
  readonly examined: () => Promise<void>
  readonly found: () => void
  readonly close: () => Promise<void>
}

type Deps = {
  readonly file: string
  /** Runs work on a separate connection without a time limit: a large file takes long to examine. */
  readonly withReader: <Answer>(work: (read: Reader) => Promise<Answer>) => Promise<Answer>
  readonly report: (error: unknown) => void
}

/** `<file>.damaged` next to it records that the last run ended with damage. */
export function createCorruptionGuard({ file, withReader, report }: Deps): CorruptionGuard {
  const marker = `${file}.damaged`
  const listeners = new Set<(parts: readonly string[]) => void>()
  let state: CorruptionState = { type: 'whole' }
  let examining: Promise<void> | undefined
  /** Errors that an intact file reported: a second one is believed. */
  let unexplained = 0

  async function examine(): Promise<void> {
    state = { type: 'examining' }
    const { tables, searchIndexes } = await withReader(findCorruption)
    if (searchIndexes.length === 0) unexplained += 1
    if (tables.length > 0 || unexplained > 1) return settle(tables)
    rmSync(marker, { force: true })
    state = { type: 'whole' }
    if (searchIndexes.length === 0) return
    report(new Error(`Damaged search indexes will be rebuilt: ${searchIndexes.join(', ')}`))
    for (const listener of listeners) listener(searchIndexes)
  }

  function settle(tables: readonly CorruptedTable[]): void {
    state = { type: 'damaged', tables: tables.map(({ name }) => name) }
    const findings = tables.map(({ name, findings: [first] }) => `${name}: ${first ?? ''}`)
    report(new Error(`The database file ${file} is damaged and read-only from now on. ${findings.join('; ')}`))
    writeFileSync(marker, `${JSON.stringify(state)}\n`)
  }

  function start(): Promise<void> {
    examining ??= examine()
      .catch((error: unknown) => {
        state = { type: 'damaged', tables: [] }
        report(error)
      })
      .finally(() => {
        examining = undefined
      })
    return examining
  }

  return {
    state: () => state,
    onSearchIndexDamage: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    open: async () => {
      if (existsSync(marker)) await start()
    },
    examined: async () => {
      if (examining) await withTimeLimit(examining, { limitMs: CHECK_TIMEOUT_MS, error: databaseCheckRunning })
    },
    found: () => {
      if (state.type !== 'damaged') void start()
    },
    close: async () => examining,
  }
}
