import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { DATABASE_FILE } from '#server/platform/database/open-database.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { fetchJson, get, itemsOf, listPath, sendAs } from '../client/requests.ts'
import type { CsvFiles } from './csv-files.ts'
import { importCsv } from './import-csv.ts'
import { cpuMsOf, resetPeakMemory, memoryOf } from '../report/process-metrics.ts'
import type { Send } from './create-users.ts'
import type { EnvironmentPaths, Tokens } from './environment-paths.ts'

export type FillResult = {
  readonly recordsPerSecond: number
  /** Server CPU time per record, in µs. */
  readonly cpuMicros: number | undefined
  /** Time until the search index was complete. */
  readonly searchFollowedAfterSeconds: number
  readonly highestMb: number | undefined
  readonly someRecords: readonly string[]
}

export type FillInput = {
  readonly server: StartedServer
  readonly place: EnvironmentPaths
  readonly tokens: Tokens
  readonly files: CsvFiles
  readonly size: number
}

/** Imports people first, because the measured records link to them. */
export async function fillByImport({ server, place, tokens, files, size }: FillInput): Promise<FillResult> {
  const port = Number(new URL(server.url).port)
  const given = { port, token: tokens.owner }
  await importCsv({ ...given, collection: 'people', file: files.people })
  resetPeakMemory(server.pid)
  const cpuBefore = cpuMsOf(server.pid)
  const seconds = await importCsv({ ...given, collection: 'items', file: files.items })
  const cpuAfter = cpuMsOf(server.pid)
  const isReported = cpuBefore !== undefined && cpuAfter !== undefined
  const cpuMicros = isReported ? ((cpuAfter - cpuBefore) * 1000) / size : undefined
  const highestMb = memoryOf(server.pid)?.highest
  const isSqlite = place.databaseUrl === undefined
  const searchFollowedAfterSeconds = await (isSqlite ? searchIndexed(place) : searchIsWhole(sendAs(port, tokens.owner)))
  const someRecords = await idsAllOver(port, tokens.bound, files.truths.bound.records)
  return { recordsPerSecond: size / seconds, cpuMicros, searchFollowedAfterSeconds, highestMb, someRecords }
}

const LOOK_EVERY_MS = 100

/**
 * Waits for the search index and returns the elapsed time; reads the database file, because requests would affect the
 * measurement.
 */
async function searchIndexed({ dataFolder }: EnvironmentPaths): Promise<number> {
  const startedAt = performance.now()
  const db = new DatabaseSync(join(dataFolder, DATABASE_FILE), { readOnly: true })
  const lacking = db.prepare('select 1 from search_parts where gap_from is not null and retired_at is null limit 1')
  while (lacking.get() !== undefined) await pause(LOOK_EVERY_MS)
  db.close()
  return (performance.now() - startedAt) / 1000
}

/** Waits for the search index, as the API reports it, and returns the elapsed time. */
export async function searchIsWhole(send: Send): Promise<number> {
  const startedAt = performance.now()
  while ((await send('GET', '/api/collections/items/search-index'))['state'] === 'building') await pause(LOOK_EVERY_MS)
  return (performance.now() - startedAt) / 1000
}

const PLACES = 20

/** IDs of records from twenty pages, including the first and last page. */
async function idsAllOver(port: number, token: string, records: number): Promise<string[]> {
  const pages = Math.floor(records / 50)
  const ids: string[] = []
  for (let at = 0; at < PLACES; at += 1) {
    const page = String(1 + Math.floor(((pages - 1) * at) / (PLACES - 1)))
    const answer = await fetchJson(port, { ...get(listPath({ page, count: 'none', fields: 'title' })), token })
    ids.push(...itemsOf(answer).map(({ id }) => String(id)))
  }
  return ids
}
