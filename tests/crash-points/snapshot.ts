import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { hashOf } from '#server/operations/backup/backup-parts.ts'
import { recoverRestore } from '#server/operations/restore/restore-journal.ts'
import { finishRotations } from '#server/operations/keys/rotate-keys.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { DATABASE_FILE, openDatabase } from '#server/platform/database/open-database.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { contentsOf } from '#tests/support/server/test-workspace.ts'

/** The contents of a place: one line per row, key and file. */
export type Snapshot = readonly string[]

/** The status entry that stores the time until which blobs must not be deleted; it is never reset. */
const TEMPORARY_STATUSES = /"blobs-held-until"/

/** Reads a place as the next command would, after completing or undoing interrupted work. */
export async function takeSnapshot(config: Config): Promise<Snapshot> {
  await recoverRestore(config, () => undefined)
  const file = join(config.dataFolder, DATABASE_FILE)
  if (config.databaseUrl === undefined && !existsSync(file)) return besideDatabase(config)
  const database = await openDatabase(config, { openedBy: 'command-line' })
  try {
    // The server and every command also do this at startup.
    const newId = createIdGenerator(Date.now, randomBytes)
    await finishRotations({ config, database, clock: () => new Date(), newId })
    const contents = await contentsOf(database, await tablesOf(database))
    const rows = Object.entries(contents).flatMap(([table, lines]) => lines.map((line) => `${table} ${line}`))
    const all = [...rows, ...(await besideDatabase(config))]
    return all.filter((line) => !TEMPORARY_STATUSES.test(line)).sort()
  } finally {
    await database.close()
  }
}

async function tablesOf({ dialect, read }: Database): Promise<readonly string[]> {
  const tables =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_list where schema = 'main' and type = 'table'
          and name not like 'sqlite\\_%' escape '\\' order by name`
      : sql<{ name: string }>`select relname::text as name from pg_class
          where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`
  return (await tables.execute(read)).rows.map(({ name }) => name)
}

async function besideDatabase(config: Config): Promise<Snapshot> {
  return [...(await keysOf(config)), ...(await filesOf(config)), ...(await unfinishedOf(config))].sort()
}

async function unfinishedOf({ dataFolder }: Config): Promise<readonly string[]> {
  const folder = join(dataFolder, 'uploads')
  const names = await readdir(folder).then(undefined, () => [])
  return Promise.all(names.map(async (name) => `upload ${name} ${await readFile(join(folder, name), 'utf8')}`))
}

async function keysOf({ dataFolder }: Config): Promise<readonly string[]> {
  const text = await readFile(join(dataFolder, 'keys.json'), 'utf8').then(undefined, () => '{"keys":[]}')
  const { keys } = JSON.parse(text) as { keys: object[] }
  return keys.map((key, at) => `key ${at} ${JSON.stringify(key)}`)
}

async function filesOf(config: Config): Promise<readonly string[]> {
  const storage = await openStorage(config, () => undefined)
  const owner = await storage.identity.read()
  const lines = owner === undefined ? [] : [`storage of ${owner}`]
  for await (const { hash } of storage.list()) {
    const blob = await storage.open(hash)
    const found = blob && (await hashOf(blob.read()))
    lines.push(`file ${hash}${found === hash ? '' : ' damaged'}`)
  }
  return lines
}

/** Matches values that differ between runs of the same command: times, IDs, secrets, salts. */
const RANDOM =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\$argon2[^"\\]*|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=")[\w-]{43}(?=")|\b[0-9a-z]{26}\b|(?<="id":")[\w-]{8}(?=")|(?<=\\")[\w-]{8}(?=\\")/g

/** Replaces random values that didn't exist before the command. */
export const withoutRandom = (stats: Snapshot, known: Snapshot): Snapshot => {
  const text = known.join('\n')
  return stats.map((line) => line.replaceAll(RANDOM, (found) => (text.includes(found) ? found : '…'))).sort()
}

/** The lines that occur in only one of two snapshots. */
export function difference(one: Snapshot, other: Snapshot): readonly string[] {
  const [ones, others] = [new Set(one), new Set(other)]
  return [
    ...one.filter((line) => !others.has(line)).map((line) => `- ${line.slice(0, 300)}`),
    ...other.filter((line) => !ones.has(line)).map((line) => `+ ${line.slice(0, 300)}`),
  ].slice(0, 20)
}

/** Files that may remain between commands; the lock of a terminated process doesn't block the next command. */
const BELONGS =
  /^(?:dossier\.db(?:-wal|-shm)?|keys\.json(?:\.lock)?|server\.lock|blobs|backups|uploads|imports|pictures|replaced-[\w-]+)$/

export const leftoverFiles = async ({ dataFolder }: Config): Promise<readonly string[]> =>
  (await readdir(dataFolder)).filter((name) => !BELONGS.test(name))
