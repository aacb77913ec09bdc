import { existsSync } from 'node:fs'
import { chmod, copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Problem } from '#domain/shared/problem.ts'
import { DATABASE_FILE, LOCK_FILE } from '#server/platform/database/open-database.ts'
import type {
  SnapshotFacts,
  SnapshotRestore,
  SnapshotRequest,
} from '#server/platform/database/snapshots/snapshot-types.ts'
import { findCorruption } from './corruption-guard.ts'
import { LOCKED_BY_OTHER_SERVER, holdLock } from './thread/open-connection.ts'
import { describeSqliteStartError } from './sqlite-errors.ts'

/** Copying all pages in one step makes the copy a single snapshot and doesn't block writers. */
const ALL_PAGES = 0x7fffffff

const LINES_PER_WRITE = 10_000

/** Copies the database page by page from one snapshot and verifies the copy. */
export async function writeSqliteSnapshot(
  file: string,
  { folder, lists, say }: SnapshotRequest,
): Promise<SnapshotFacts> {
  const copy = join(folder, DATABASE_FILE)
  say(`Copying ${file} …`)
  const original = new BetterSqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    await original.backup(copy, { progress: () => ALL_PAGES })
  } finally {
    original.close()
  }
  const db = new BetterSqlite(copy)
  try {
    db.pragma('journal_mode = delete')
    await assertIntact(db, copy)
    for (const { file: name, query } of lists) await writeLines(db, query, join(folder, name))
    const migration = db.prepare<[], number | null>('select max(number) from migrations').pluck().get() ?? 0
    return { dialect: 'sqlite', migration, rows: countRows(db) }
  } finally {
    db.close()
    await chmod(copy, 0o600)
    await flush(copy)
  }
}

async function assertIntact(db: Database, file: string): Promise<void> {
  const { tables, searchIndexes } = await findCorruption(new Kysely({ dialect: new SqliteDialect({ database: db }) }))
  const found = [
    ...tables.map(({ name, findings: [first] }) => `${name}: ${first ?? ''}`),
    ...searchIndexes.map((id) => `search index ${id}`),
  ]
  if (found.length > 0) throw new Problem('not-ready', `The database in ${file} is damaged. ${found.join('; ')}`)
}

async function writeLines(db: Database, query: string, path: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    let lines: string[] = []
    for (const line of db.prepare<[], string>(query).pluck().iterate()) {
      lines.push(`${line}\n`)
      if (lines.length < LINES_PER_WRITE) continue
      await handle.write(lines.join(''))
      lines = []
    }
    await handle.write(lines.join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function countRows(db: Database): SnapshotFacts['rows'] {
  const tables = db
    .prepare<[], string>(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
       order by name`,
    )
    .pluck()
    .all()
  const count = (table: string) => db.prepare<[], number>(`select count(*) from "${table}"`).pluck().get() ?? 0
  return Object.fromEntries(tables.map((table) => [table, count(table)]))
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const FILES = ['', '-wal', '-shm'].map((ending) => DATABASE_FILE + ending)

export const databaseFilesIn = (folder: string): readonly string[] =>
  FILES.filter((file) => existsSync(join(folder, file)))

export async function prepareSqliteSnapshot({ folder, into, ...back }: SnapshotRestore): Promise<SnapshotFacts> {
  const file = join(into, DATABASE_FILE)
  back.say(`Writing ${file} …`)
  for (const name of databaseFilesIn(folder)) {
    if (!name.endsWith('-shm')) await copyFile(join(folder, name), join(into, name))
  }
  await chmod(file, 0o600)
  const contents = await changeAndClose(file, back)
  await flush(file)
  await flush(into)
  return contents
}

async function changeAndClose(
  file: string,
  { finally: statements }: Pick<SnapshotRestore, 'finally'>,
): Promise<SnapshotFacts> {
  const db = new BetterSqlite(file)
  try {
    db.pragma('journal_mode = delete')
    await assertIntact(db, file)
    const migration = db.prepare<[], number | null>('select max(number) from migrations').pluck().get() ?? 0
    const contents = { dialect: 'sqlite', migration, rows: countRows(db) } as const
    const changes = statements(contents)
    db.transaction(() => changes.forEach((statement) => db.exec(statement)))()
    return contents
  } finally {
    db.close()
  }
}

/** Locks a data folder to prevent servers from starting on it and other restores from running. */
export function lockDataFolder(dataFolder: string): { readonly free: () => void } {
  try {
    const lock = holdLock(join(dataFolder, LOCK_FILE))
    return { free: () => void lock.close() }
  } catch (error) {
    if (codeOf(error) !== LOCKED_BY_OTHER_SERVER)
      throw new Problem('not-ready', describeSqliteStartError(error, dataFolder))
    throw new Problem(
      'not-ready',
      `DOSSIER_DATA: another server or restore is using ${dataFolder}. Nothing was changed. Stop it or wait until it finishes, then try again.`,
    )
  }
}

const codeOf = (error: unknown): string => (error instanceof BetterSqlite.SqliteError ? error.code : '')

/** Checkpoints the WAL. Throws if another process has the database open; leaves a damaged database unchanged. */
export function assertNotInUse(dataFolder: string): void {
  const file = join(dataFolder, DATABASE_FILE)
  if (!existsSync(file)) return
  const db = new BetterSqlite(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = delete')
  } catch (error) {
    if (!codeOf(error).startsWith('SQLITE_BUSY')) return
    throw new Problem(
      'not-ready',
      `Another process is using the database ${file}. Nothing was changed. Wait until it finishes, then try again.`,
    )
  } finally {
    db.close()
  }
}
