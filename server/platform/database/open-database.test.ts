import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testDialect } from '#tests/support/database/test-database.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { DATABASE_FILE, openDatabase } from './open-database.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-open-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const refusal = async (place: Parameters<typeof openDatabase>[0]): Promise<string> =>
  openDatabase(place).then(
    async (database) => {
      await database.close()
      return 'it was opened'
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

describe('an unwritable data folder', () => {
  test('is reported with the reason for the failure', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    expect(await refusal({ dataFolder: file })).toContain(`can't write to ${file}: it is a file`)
    expect(await refusal({ dataFolder: join(file, 'below') })).toContain('part of the path is a file, not a folder')
  })
})

describe('a missing data folder', () => {
  test('is created together with its parent folders', async () => {
    expect(await refusal({ dataFolder: join(folder, 'a', 'b', 'c') })).toBe('it was opened')
  })

  test("fails startup immediately if it can't be created", async () => {
    // Linux returns ENOENT for this path although /proc exists; other systems can't create the path either.
    expect(await refusal({ dataFolder: '/proc/dossier/data' })).toContain(
      "DOSSIER_DATA: can't write to /proc/dossier/data: the folder cannot be created. Choose a writable folder.",
    )
  })
})

describe('a foreign file at the database path', () => {
  test('is left unchanged if it is not a database', async () => {
    const file = join(folder, DATABASE_FILE)
    const text = 'Dear diary, '.repeat(500)
    await writeFile(file, text)
    expect(await refusal({ dataFolder: folder })).toContain("isn't a database. Nothing was changed")
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('is left unchanged if it belongs to another program', async () => {
    const file = join(folder, DATABASE_FILE)
    const other = new BetterSqlite(file)
    other.exec('create table playlists (name text)')
    other.close()
    const before = await readFile(file)
    expect(await refusal({ dataFolder: folder })).toContain('is a database of another program')
    expect(await readFile(file)).toEqual(before)
  })

  test('is rejected when another program has it locked', { timeout: 30_000 }, async () => {
    const holder = new BetterSqlite(join(folder, DATABASE_FILE))
    holder.pragma('application_id = 0x446f7373')
    holder.exec('begin exclusive')
    expect(await refusal({ dataFolder: folder })).toContain('is locked by another program')
    holder.close()
  })
})

describe('an unusable PostgreSQL server', () => {
  test('is reported without its password if it is unreachable', async () => {
    const databaseUrl = secret('postgres://me:hush@127.0.0.1:1/records')
    const sentence = await refusal({ dataFolder: folder, databaseUrl })
    expect(sentence).toBe("DATABASE_URL: can't connect to PostgreSQL at 127.0.0.1:1. Start it, or correct the URL.")
  })

  const spoiled: readonly (readonly [string, (url: URL) => void, string])[] = [
    ['a wrong password', (url) => (url.password = 'wrong'), 'authentication failed for user postgres'],
    ['a wrong name', (url) => (url.pathname = '/nowhere'), "nowhere doesn't exist at"],
  ]
  // Requires a running PostgreSQL server that can reject the connection.
  test.each(testDialect() === 'postgres' ? spoiled : [])('is reported for %s', async (_, spoil, says) => {
    const url = new URL(process.env['PG_URL'] ?? '')
    spoil(url)
    const sentence = await refusal({ dataFolder: folder, databaseUrl: secret(url.href) })
    expect(sentence).toContain(says)
  })
})
