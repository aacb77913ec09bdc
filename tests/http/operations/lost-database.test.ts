import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { backupCommand } from '#server/operations/commands/backup.ts'
import type { Command } from '#server/operations/commands/command.ts'
import { doctorCommand } from '#server/operations/commands/all-commands.ts'
import { restoreCommand } from '#server/operations/commands/restore.ts'
import { storageAdoptCommand, storagePurgeCommand } from '#server/operations/commands/storage.ts'
import type { Config } from '#server/platform/config/config.ts'
import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { openStaging } from '#server/platform/storage/staging/staging.ts'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { testPlace } from '#tests/support/files/s3-bucket.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { createTestWorkspace, openOn, type OpenedWorkspace } from '#tests/support/server/test-workspace.ts'
import { demand } from '#tests/attack/workload/client.ts'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Where = 'on disk' | 'in S3'

async function aPlace(where: Where): Promise<Config> {
  const { config, remove } = await createTestWorkspace()
  ends.push(remove)
  return { ...config, s3: where === 'in S3' ? await testPlace(basename(config.dataFolder)) : undefined }
}

async function upload({ owner }: OpenedWorkspace, text: string): Promise<string> {
  const form = new FormData()
  form.append('filepond', new Blob([text]), 'note.txt')
  return demand(await owner.ask('POST', '/api/uploads?collection=cases&field=files', form), 201).text
}

/** A stopped workspace with three files attached to records. */
async function fill(config: Config): Promise<void> {
  const opened = await openOn(config)
  const fields = [{ label: 'Files', kind: 'files' }]
  demand(await opened.owner.ask('POST', '/api/collections', { label: 'Cases', fields }), 201)
  for (let count = 0; count < 3; count += 1) {
    const file = await upload(opened, randomBytes(20).toString('hex'))
    demand(await opened.owner.ask('POST', '/api/collections/cases/records', { values: { files: [file] } }), 201)
  }
  await opened.close()
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function storedIn({ dataFolder, s3 }: Pick<Config, 'dataFolder'> & Partial<Config>): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of (await openStorage({ dataFolder, s3 }, () => undefined)).list()) hashes.push(hash)
  return hashes.sort()
}

const HOUR_MS = 60 * 60 * 1000
const later = () => new Date(Date.now() + 2 * HOUR_MS)

/** Runs a command and returns its output with its exit code or error. */
async function run(command: Command, config: Config, ...args: readonly string[]) {
  const said: string[] = []
  const alone = { args, config, clock: later, say: (line: string) => void said.push(line) }
  const done = async (): Promise<number> => {
    if ('runAlone' in command) return command.runAlone(alone)
    const database = await openDatabase(config, { openedBy: 'command-line' })
    try {
      await migrate(database)
      return await command.run({ ...alone, database, stepsTaken: [], newId: randomUUID })
    } finally {
      await database.close()
    }
  }
  const exit = await done().then(undefined, (error: unknown) => String(error))
  return { exit, said: said.join('\n') }
}

/** Ways in which the workspace's database can be replaced by a different one. */
const WAYS: Readonly<Record<string, (config: Config) => Promise<Config>>> =
  testDialect() === 'sqlite'
    ? {
        'whose file was lost': async (config) => {
          for (const end of ['', '-wal', '-shm']) await rm(join(config.dataFolder, `dossier.db${end}`), { force: true })
          return config
        },
        'whose file has 0 bytes': async (config) => {
          for (const end of ['-wal', '-shm']) await rm(join(config.dataFolder, `dossier.db${end}`), { force: true })
          await writeFile(join(config.dataFolder, 'dossier.db'), '')
          return config
        },
      }
    : {
        'that is another, empty one': async (config) => {
          const { url, drop } = await createDatabase()
          ends.push(drop)
          return { ...config, databaseUrl: secret(url) }
        },
      }

describe.each(['on disk', 'in S3'] as const)('files stored %s', (where) => {
  test.each(Object.keys(WAYS))('files are not deleted by a database %s', async (way) => {
    const config = await aPlace(where)
    await fill(config)
    const before = await storedIn(config)
    const other = (await WAYS[way]?.(config)) ?? config
    const started = await openOn(other, later).then(
      async (opened) => opened.close(),
      (error: unknown) => String(error),
    )
    expect(await storedIn(config)).toEqual(before)
    const setting = where === 'in S3' ? 'S3_BUCKET, S3_PREFIX' : 'DOSSIER_DATA'
    expect(started).toMatch(
      new RegExp(`${setting}: .* belongs to workspace [0-9a-f-]{36}, but .*restore.*storage:adopt --confirm\\.$`),
    )
    expect(started).not.toContain('\n')
    // The server starts normally once the original database is restored.
    if (other !== config) await (await openOn(config, later)).close()
  })
})

describe('starting', () => {
  /** Starts a server with a new database and an existing data folder; returns its output. */
  async function startOn(fill: (folder: string) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), 'dossier-data-'))
    ends.push(() => rm(folder, { recursive: true }))
    await fill(folder)
    const postgres = testDialect() === 'postgres' ? await createDatabase() : undefined
    if (postgres !== undefined) ends.push(postgres.drop)
    const env = { ...process.env, DOSSIER_DATA: folder, ...(postgres && { DATABASE_URL: postgres.url }) }
    const run = spawnSync(process.execPath, ['dist/server/main.js'], { encoding: 'utf8', timeout: 30_000, env })
    return { code: run.status, said: run.stderr.trim(), folder }
  }

  test('with a new database and files from before workspace IDs fails with a one-sentence error', async () => {
    const bytes = randomBytes(20)
    const { code, said, folder } = await startOn(async (dataFolder) => {
      const path = join(dataFolder, 'file')
      await writeFile(path, bytes)
      await openDiskStorage(join(dataFolder, 'blobs')).publish(path, sha256(bytes))
    })
    expect(code).toBe(1)
    expect(said).toMatch(/^DOSSIER_DATA: \S+blobs contains files unknown to the database [^\n]+--confirm\.$/)
    if (testDialect() === 'postgres') expect(said).toContain('correct DOSSIER_DATA or DATABASE_URL')
    expect(await storedIn({ dataFolder: folder })).toEqual([sha256(bytes)])
  })

  test('with a new database and unfinished uploads fails with a one-sentence error', async () => {
    const id = '01hzzzzzzz0123456789abcdef'
    const { code, said, folder } = await startOn(async (dataFolder) => {
      const staging = openStaging(join(dataFolder, 'uploads'))
      await staging.empty(id)
      await utimes(staging.pathOf(id), new Date(0), new Date(0))
    })
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^DOSSIER_DATA: \S+uploads contains files unknown to [^\n]+$/),
    ])
    expect(await readdir(join(folder, 'uploads'))).toEqual([id])
  })
})

describe.each(['on disk', 'in S3'] as const)('a workspace with files stored %s', (where) => {
  test('from before workspace IDs gets an ID at the next start', async () => {
    const config = await aPlace(where)
    await fill(config)
    const before = await storedIn(config)
    const opened = await openDatabase(config)
    await opened.write(({ db }) => db.deleteFrom('workspace').where('name', '=', 'workspace-id').execute())
    await opened.close()
    await (await openStorage(config, () => undefined)).identity.replace('')
    await (await openOn(config, later)).close()
    expect((await (await openStorage(config, () => undefined)).identity.read())?.length).toBe(36)
    expect(await storedIn(config)).toEqual(before)
  })

  test('cannot start if another workspace has claimed the bucket and prefix, or the folder', async () => {
    const config = await aPlace(where)
    await fill(config)
    const second = await aPlace(where)
    await fill(second)
    const mixed = { ...second, s3: config.s3, ...(where === 'on disk' && { dataFolder: config.dataFolder }) }
    if (where === 'on disk') await moveDatabase(second, config)
    await expect(openOn(mixed, later)).rejects.toThrow(/belongs to workspace \S+, but .* belongs to workspace/)
    expect(await storedIn(config)).toHaveLength(3)
  })

  test("can't start on empty storage, for example if it isn't mounted", async () => {
    const config = await aPlace(where)
    await fill(config)
    const elsewhere = await aPlace(where)
    if (where === 'on disk') await rm(join(config.dataFolder, 'blobs'), { recursive: true })
    await expect(openOn({ ...config, s3: elsewhere.s3 })).rejects.toThrow('contains none of the files of')
  })

  test('keeps every file when it adopts existing storage', async () => {
    const config = await aPlace(where)
    await fill(config)
    const before = await storedIn(config)
    const other = { ...config, ...(await aPlace(where)), s3: config.s3, dataFolder: config.dataFolder }
    if (testDialect() === 'sqlite') await WAYS['whose file was lost']?.(config)
    const adopt = async (...args: readonly string[]) => run(storageAdoptCommand, other, ...args)
    expect((await adopt()).exit).toMatch(/belongs to workspace .*No files are deleted.*--confirm/)
    await expect(openOn(other, later)).rejects.toThrow('storage:adopt')
    expect(await adopt('--confirm')).toMatchObject({ exit: 0, said: expect.stringContaining('it belonged to') })
    await (await openOn(other, later)).close()
    expect(await storedIn(config)).toEqual(before)
  })
})

describe.each(['on disk', 'in S3'] as const)('files stored %s after the restored backup was created', (where) => {
  test('are kept during 40 days of cleanups, and the doctor command lists them', async () => {
    const config = await aPlace(where)
    await fill(config)
    const folder = await mkdtemp(join(tmpdir(), 'dossier-backups-'))
    ends.push(() => rm(folder, { recursive: true }))
    expect(await run(backupCommand, config, folder)).toMatchObject({ exit: 0 })
    const opened = await openOn(config)
    for (let count = 0; count < 4; count += 1) await upload(opened, `younger ${count}`)
    await opened.close()
    const before = await storedIn(config)
    expect(before).toHaveLength(7)

    const [backup = ''] = await readdir(folder)
    expect(await run(restoreCommand, config, join(folder, backup), '--replace')).toMatchObject({ exit: 0 })
    let now = Date.now()
    for (let day = 0; day < 40; day += 1) {
      now += 24 * HOUR_MS
      await (await openOn(config, () => new Date(now))).close()
    }
    expect(await storedIn(config)).toEqual(before)
    expect((await run(doctorCommand, config)).said).toMatch(/4 files with 36 bytes, such as [0-9a-f]{64},/)
  }, 240_000)

  test("are kept when another workspace's backup is restored, which requires --replace", async () => {
    const [config, other] = [await aPlace(where), await aPlace(where)]
    await fill(config)
    await fill(other)
    const folder = await mkdtemp(join(tmpdir(), 'dossier-backups-'))
    ends.push(() => rm(folder, { recursive: true }))
    await run(backupCommand, other, folder)
    const backup = join(folder, (await readdir(folder))[0] ?? '')
    const before = await storedIn(config)
    const refused = await run(restoreCommand, config, backup)
    expect(refused.exit).toMatch(/Nothing was changed.*--replace/)
    expect(await storedIn(config)).toEqual(before)
    await rm(join(config.dataFolder, 'keys.json'))
    expect(await run(restoreCommand, config, backup, '--replace')).toMatchObject({ exit: 0 })
    await (await openOn(config, later)).close()
    expect(await storedIn(config)).toEqual(expect.arrayContaining(before))
    expect(await storedIn(config)).toHaveLength(6)
  })
})

test('storage:purge reports expired files and deletes them after confirmation', async () => {
  const config = await aPlace('on disk')
  await fill(config)
  const database = await openDatabase(config)
  await database.write(async ({ db }) => {
    await db.deleteFrom('assets').execute()
    const row = {
      name: 'sweep-days',
      value: JSON.stringify({ count: 40, last: '2026-01-01', mark: '', markBefore: '' }),
    }
    await db
      .insertInto('workspace')
      .values(row)
      .onConflict((on) => on.column('name').doUpdateSet(row))
      .execute()
    await db.updateTable('blobs').set({ quarantined_at: '2026-01-01T00:00:00.000Z', quarantine_day: 1 }).execute()
  })
  await database.close()
  const counted = await run(storagePurgeCommand, config)
  expect(counted).toMatchObject({
    exit: 0,
    said: expect.stringContaining('3 known files, 3 in quarantine, 3 (120 bytes) ready to be deleted.'),
  })
  expect((await run(storagePurgeCommand, config, '--confirm', '2')).exit).toContain(
    'Problem: 3 files are ready to be deleted, not 2. Nothing was deleted.',
  )
  expect((await run(storagePurgeCommand, config, '--confirm')).exit).toContain(
    'Problem: Usage: npm run dossier -- storage:purge [--confirm <number of files>]',
  )
  expect(await storedIn(config)).toHaveLength(3)
  const purged = await run(storagePurgeCommand, config, '--confirm', '3')
  expect(purged).toMatchObject({ exit: 0, said: expect.stringContaining('Deleted 3 files (120 bytes).') })
  expect(await storedIn(config)).toEqual([])
})

/** Moves a database to another data folder, as an administrator might by mistake. */
async function moveDatabase(from: Config, to: Config): Promise<void> {
  if (testDialect() === 'postgres') return
  for (const end of ['', '-wal', '-shm']) {
    await rm(join(to.dataFolder, `dossier.db${end}`), { force: true })
    await rename(join(from.dataFolder, `dossier.db${end}`), join(to.dataFolder, `dossier.db${end}`)).then(
      undefined,
      () => undefined,
    )
  }
}
