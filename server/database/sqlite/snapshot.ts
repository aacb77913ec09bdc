import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { Problem } from '#domain/shared/problem.ts'
import { DATABASE_FILE, LOCK_FILE } from '../open-database.ts'
import type { SnapshotFacts, SnapshotReturn, SnapshotWish } from '../snapshot-parts.ts'
import { holdLock } from './open-connection.ts'
import { sqliteStartSentence } from './start-sentence.ts'

/** Every page there is: copied in one step, the copy is one moment of the original, and nobody who writes has to wait. */
const ALL_PAGES = 0x7fffffff

/** How many lines are written at a time. */
const LINES_AT_ONCE = 10_000

/** Copies the database page by page, as it is in one moment, and proves that the copy is sound. */
export async function writeSqliteSnapshot(file: string, { folder, lists, say }: SnapshotWish): Promise<SnapshotFacts> {
  const copy = join(folder, DATABASE_FILE)
  say(`${file} is copied …`)
  const original = new BetterSqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    await original.backup(copy, { progress: () => ALL_PAGES })
  } finally {
    original.close()
  }
  const db = new BetterSqlite(copy)
  try {
    // One file and nothing beside it, whoever opens it.
    db.pragma('journal_mode = delete')
    proveSound(db, copy)
    for (const { file: name, query } of lists) await writeLines(db, query, join(folder, name))
    const migration = db.prepare<[], number | null>('select max(number) from migrations').pluck().get() ?? 0
    return { dialect: 'sqlite', migration, rows: countRows(db) }
  } finally {
    db.close()
    await chmod(copy, 0o600)
    await flush(copy)
  }
}

function proveSound(db: Database, file: string): void {
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Problem('not-ready', `The database in ${file} is damaged: ${String(found)}`)
}

async function writeLines(db: Database, query: string, path: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    let lines: string[] = []
    for (const line of db.prepare<[], string>(query).pluck().iterate()) {
      lines.push(`${line}\n`)
      if (lines.length < LINES_AT_ONCE) continue
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

/** Files that SQLite keeps beside a database. */
const COMPANIONS = ['', '-wal', '-shm']

/** Puts a copy into a data folder where no server runs: under another name until it is whole, and then at once. */
export async function placeSqliteSnapshot(dataFolder: string, back: SnapshotReturn): Promise<SnapshotFacts['rows']> {
  const target = join(dataFolder, DATABASE_FILE)
  await mkdir(dataFolder, { recursive: true })
  const lock = keepServersOut(dataFolder, target)
  try {
    if (back.putAside === undefined) refuseTaken(target)
    return await place(target, back)
  } finally {
    lock.close()
  }
}

async function place(target: string, back: SnapshotReturn): Promise<SnapshotFacts['rows']> {
  const half = `${target}.restoring`
  back.say(`${target} is written …`)
  await copyFile(join(back.folder, DATABASE_FILE), half)
  await chmod(half, 0o600)
  const rows = finish(half, back.finally)
  await flush(half)
  if (back.putAside !== undefined) await putAside(target, back.putAside)
  await rename(half, target)
  await flush(dirname(target))
  return rows
}

function keepServersOut(dataFolder: string, target: string): Database {
  try {
    return holdLock(join(dataFolder, LOCK_FILE))
  } catch (error) {
    throw new Problem('not-ready', sqliteStartSentence(error, target))
  }
}

function refuseTaken(target: string): void {
  if (!existsSync(target)) return
  throw new Problem(
    'not-ready',
    `DOSSIER_DATA: there is a database already, ${target}. Nothing was changed. Choose an empty folder, or add --replace to put aside what is there.`,
  )
}

function finish(file: string, statements: readonly string[]): SnapshotFacts['rows'] {
  const db = new BetterSqlite(file)
  try {
    proveSound(db, file)
    const rows = countRows(db)
    db.transaction(() => statements.forEach((statement) => db.exec(statement)))()
    return rows
  } finally {
    db.close()
  }
}

async function putAside(target: string, name: string): Promise<void> {
  const folder = join(dirname(target), name)
  await mkdir(folder, { mode: 0o700 })
  for (const companion of COMPANIONS) {
    if (existsSync(target + companion)) await rename(target + companion, join(folder, DATABASE_FILE + companion))
  }
}
