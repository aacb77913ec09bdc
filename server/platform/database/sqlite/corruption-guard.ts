import { existsSync, rmSync, writeFileSync } from 'node:fs'
import {
  type CorruptionMonitor,
  type CorruptionState,
  databaseCheckRunning,
} from '#server/platform/database/database-errors.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import { sql } from 'kysely'
import { describeCause, isCorruption } from './sqlite-errors.ts'

/** Findings of the integrity check for a damaged table. */
type CorruptedTable = { readonly name: string; readonly findings: readonly string[] }

/**
 * Damaged data tables and damaged active search indexes in a database file. Search indexes can be rebuilt from the
 * data.
 */
type FileCorruption = { readonly tables: readonly CorruptedTable[]; readonly searchIndexes: readonly string[] }

export const WHOLE_FILE = 'file'

/**
 * Checks the structure of the whole file. If the file is damaged, checks each table separately, because the first check
 * stops at the first bad page. Ignores damaged search indexes that were replaced, which remain in the file because
 * SQLite can't drop them.
 */
export async function findCorruption(read: Reader): Promise<FileCorruption> {
  const whole = await check(sql`pragma quick_check`, read)
  if (whole.length === 0) return { tables: [], searchIndexes: [] }
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' order by name`.execute(read)
  const hurt: CorruptedTable[] = []
  for (const { name } of rows) {
    const findings = await check(sql`pragma quick_check(${sql.lit(name)})`, read)
    if (findings.length > 0) hurt.push({ name, findings })
  }
  const tables = hurt.filter(({ name }) => searchIndexOf(name) === undefined)
  const ids = new Set(hurt.flatMap(({ name }) => searchIndexOf(name) ?? []))
  return {
    tables: hurt.length > 0 ? tables : [{ name: WHOLE_FILE, findings: whole }],
    searchIndexes: ids.size === 0 || tables.length > 0 ? [...ids] : await inUse(read, [...ids]),
  }
}

async function check(pragma: ReturnType<typeof sql>, read: Reader): Promise<string[]> {
  try {
    const { rows } = await pragma.execute(read)
    return (rows as { quick_check: string }[]).flatMap(({ quick_check: found }) =>
      found === 'ok' ? [] : found.split('\n').filter((line) => !line.startsWith('***')),
    )
  } catch (error) {
    if (!isCorruption(error)) throw error
    return [describeCause(error)]
  }
}

const searchIndexOf = (table: string): string | undefined => /^[st]_([0-9a-z]{26})(?:_[a-z]+)?$/.exec(table)?.[1]

async function inUse(read: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await read
    .selectFrom('search_parts')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(({ id }) => id)
}

/** Maximum time in ms that a write waits for a file check; most checks take less. */
const CHECK_TIMEOUT_MS = 10_000

/** Protects a SQLite file: a reported error triggers a check, which determines which operations are still allowed. */
export type CorruptionGuard = CorruptionMonitor & {
  readonly open: () => Promise<void>
  readonly examined: () => Promise<void>
  readonly found: () => void
  readonly close: () => Promise<void>
}

type Deps = {
  readonly file: string
  /** Runs work on a separate connection without a time limit, because checking a large file takes a long time. */
  readonly withReader: <Answer>(work: (read: Reader) => Promise<Answer>) => Promise<Answer>
  readonly report: (error: unknown) => void
}

/** The file `<file>.damaged` records that damage was found during the last run. */
export function createCorruptionGuard({ file, withReader, report }: Deps): CorruptionGuard {
  const marker = `${file}.damaged`
  const listeners = new Set<(parts: readonly string[]) => void>()
  let state: CorruptionState = { type: 'whole' }
  let examining: Promise<void> | undefined
  /** Counts reported errors for which the check found no damage; the second such error is treated as damage. */
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
