import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CollectionId, type FieldId, createIdGenerator } from '#domain/shared/ids.ts'
import { openThumbnails } from '#server/files/images/thumbnails.ts'
import { purgeStorage } from '#server/operations/commands/storage.ts'
import type { S3Settings } from '#server/platform/config/config.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { openLog } from '#server/platform/http/logging.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { openDiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { openStaging } from '#server/platform/storage/staging/staging.ts'
import { testPlace } from '#tests/support/files/s3-bucket.ts'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { adoptStorage } from '#server/files/ownership/claim-storage.ts'
import { publishBlob } from '#server/files/uploads/finish-upload.ts'
import { blobCounts, findUnknownFiles, quarantineUnused, removeExpiredBlobs } from './remove-blobs.ts'
import { insertAsset } from '#server/files/uploads/store.ts'
import { sweepStorage } from './sweep-expired.ts'
import { createKeyedMutex } from '#server/platform/concurrency/locks.ts'

const newId = createIdGenerator(Date.now, randomBytes)
const DAY_MS = 24 * 60 * 60 * 1000
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe.each(['on disk', 'in S3'] as const)('a file %s that is no longer used by any record', (where) => {
  let opened: OpenTestDatabase
  let folder: string
  let blobs: BlobStorage
  let s3: S3Settings | undefined
  let now: Date
  let logged: string
  const forgotten: string[] = []

  beforeEach(async () => {
    opened = await openTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'dossier-quarantine-'))
    s3 = where === 'in S3' ? await testPlace() : undefined
    blobs = await openStorage({ dataFolder: folder, s3 }, () => undefined)
    now = new Date('2026-03-01T10:00:00.000Z')
    logged = ''
  })
  afterEach(async () => {
    await opened.close()
    await rm(folder, { recursive: true })
  })

  const deps = () => ({
    database: opened.database,
    blobs,
    clock: () => now,
    blobTurns: createKeyedMutex(),
    pictures: { forget: async (hash: string) => void forgotten.push(hash) },
    log: openLog('debug', { write: (line) => (logged += line) }),
  })

  async function sweep(): Promise<number> {
    await quarantineUnused(deps())
    return (await removeExpiredBlobs(deps())).count
  }

  /** Runs one cleanup per day and returns the number of removed files. */
  async function sweepFor(days: number): Promise<number> {
    let removed = 0
    for (let day = 0; day < days; day += 1) {
      now = new Date(now.getTime() + DAY_MS)
      removed += await sweep()
    }
    return removed
  }

  let made = 0
  function insertFile(transaction: Transaction, hash: string, bytes: number): Promise<void> {
    const asset = { id: `asset-${(made += 1)}`, userId: null, hash, name: 'a.txt', type: 'text/plain', bytes }
    const target = { collection: 'c' as CollectionId, field: 'f' as FieldId, record: null }
    const at = now.toISOString()
    return insertAsset(transaction, { ...asset, ...target, width: null, height: null, ending: null }, at, at)
  }

  async function store(text: string): Promise<string> {
    const [path, hash] = [join(folder, 'local'), sha256(text)]
    await writeFile(path, text)
    await publishBlob(deps(), { path, hash, bytes: text.length }, (transaction) =>
      insertFile(transaction, hash, text.length),
    )
    await rm(path)
    return hash
  }
  const drop = (hash: string) =>
    opened.database.write(({ db }) => db.deleteFrom('assets').where('hash', '=', hash).execute())
  const isThere = async (hash: string): Promise<boolean> => (await blobs.open(hash)) !== undefined

  test('is kept for 29 days with cleanups and removed after 30, with a log entry', async () => {
    const [hash, kept] = [await store('dropped'), await store('used')]
    await drop(hash)
    expect(await sweepFor(1)).toBe(0)
    expect(await blobCounts(deps())).toMatchObject({ known: 2, quarantined: 1, quarantinedBytes: 7, due: 0 })
    expect(await sweepFor(29)).toBe(0)
    expect(await isThere(hash)).toBe(true)
    expect(logged).not.toContain('deleted')
    expect(await sweepFor(1)).toBe(1)
    expect([await isThere(hash), await isThere(kept)]).toEqual([false, true])
    expect(forgotten).toContain(hash)
    const lines = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'files deleted after quarantine', count: 1, bytes: 7, sample: [hash] }),
    )
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'file deleted after quarantine', hash, bytes: 7 }))
  })

  test('is kept while the data moved aside by a restore exists, and removed later', async () => {
    const hash = await store('put aside')
    await drop(hash)
    const aside = join(folder, 'replaced-2026-03-01T00-00-00-000Z')
    await mkdir(aside)
    await writeFile(join(aside, 'blobs.txt'), `${hash}\n`)
    expect(await sweepFor(40)).toBe(0)
    expect(await isThere(hash)).toBe(true)
    expect(logged).not.toContain('deleted')
    await rm(aside, { recursive: true })
    expect(await sweepFor(31)).toBe(1)
    expect(await isThere(hash)).toBe(false)
  })

  test('leaves quarantine when the same bytes are uploaded, and can be quarantined again', async () => {
    const hash = await store('again')
    await drop(hash)
    await sweepFor(30)
    await store('again')
    expect((await blobCounts(deps())).quarantined).toBe(0)
    expect(await sweepFor(5)).toBe(0)
    await drop(hash)
    expect(await sweepFor(30)).toBe(0)
    expect(await isThere(hash)).toBe(true)
    expect(await sweepFor(1)).toBe(1)
  })

  test('leaves quarantine when a file references it without an upload', async () => {
    const hash = await store('by hand')
    await drop(hash)
    await sweepFor(20)
    await opened.database.write((transaction) => insertFile(transaction, hash, 7))
    expect(await sweepFor(20)).toBe(0)
    expect((await blobCounts(deps())).quarantined).toBe(0)
  })

  test('is kept when the clock jumps ahead by 40 days, and when it jumps back', async () => {
    const hash = await store('clock')
    await drop(hash)
    await sweepFor(2)
    now = new Date(now.getTime() + 40 * DAY_MS)
    expect(await sweep()).toBe(0)
    expect(await sweepFor(3)).toBe(0)
    now = new Date(now.getTime() - 43 * DAY_MS)
    expect(await sweepFor(20)).toBe(0)
    expect(await isThere(hash)).toBe(true)
  })

  test('is kept during a hundred cleanups within one day', async () => {
    const hash = await store('hourly')
    await drop(hash)
    await sweepFor(1)
    for (let count = 0; count < 100; count += 1) expect(await sweep()).toBe(0)
    now = new Date(now.getTime() + 60 * DAY_MS)
    for (let count = 0; count < 10; count += 1) expect(await sweep()).toBe(0)
    expect(await isThere(hash)).toBe(true)
  })

  test('is kept if a cleanup would remove too many files, until a person confirms the number', async () => {
    for (let count = 0; count < 101; count += 1) await drop(await store(`many ${count}`))
    await store('used')
    expect(await sweepFor(32)).toBe(0)
    expect(await blobCounts(deps())).toMatchObject({ known: 102, quarantined: 101, due: 101 })
    const [line = ''] = logged.split('\n').filter((each) => each.includes('storage:purge'))
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      msg: 'cleanup would delete 101 of 102 files at once, so none were deleted. If this is correct, run: npm run dossier -- storage:purge --confirm 101',
    })
    await adoptStorage({ ...deps(), newId })
    const config = { dataFolder: folder, s3, databaseUrl: undefined }
    const args = ['--confirm', '101']
    const said: string[] = []
    const say = (text: string): void => void said.push(text)
    expect(await purgeStorage({ args, config, database: opened.database, clock: () => now, newId, say })).toBe(0)
    expect(said.at(-1)).toContain('101 files')
    expect(await blobCounts(deps())).toMatchObject({ known: 1, quarantined: 0 })
    const entries = await opened.database.read.selectFrom('audit_log').select(['kind', 'details']).execute()
    expect(entries).toContainEqual({ kind: 'storage-purged', details: '{"files":"101"}' })
  })

  /** Restores the rows of another database state. */
  const stateOf = async () => ({
    blobs: await opened.database.read.selectFrom('blobs').selectAll().execute(),
    facts: await opened.database.read.selectFrom('workspace').selectAll().where('name', '=', 'sweep-days').execute(),
  })
  const putBack = ({ blobs: rows, facts }: Awaited<ReturnType<typeof stateOf>>) =>
    opened.database.write(async ({ db }) => {
      await db.deleteFrom('assets').execute()
      await db.deleteFrom('blobs').execute()
      await db.deleteFrom('workspace').where('name', '=', 'sweep-days').execute()
      await db.insertInto('blobs').values(rows).execute()
      await db.insertInto('workspace').values(facts).execute()
    })

  test('restarts its quarantine after an older database is restored by any tool', async () => {
    const hash = await store('used again')
    await drop(hash)
    await sweepFor(30)
    const older = await stateOf()
    await store('used again')
    await sweepFor(1)
    await putBack(older)
    expect(await sweepFor(30)).toBe(0)
    expect(logged).toContain('restarting all quarantines')
    expect(await isThere(hash)).toBe(true)
    expect(await sweepFor(1)).toBe(1)
  })

  test('is kept while a copy of the database uses the same storage', async () => {
    const hash = await store('of both')
    await sweepFor(1)
    let [one, copy] = [await stateOf(), await stateOf()]
    // Only the copied database drops its reference to the file; the original keeps it.
    for (let day = 0; day < 40; day += 1) {
      await putBack(copy)
      expect(await sweepFor(1)).toBe(0)
      copy = await stateOf()
      await putBack(one)
      expect(await sweep()).toBe(0)
      one = await stateOf()
    }
    expect(await isThere(hash)).toBe(true)
  })

  test('is kept if the storage has another workspace ID or none', async () => {
    const hash = await store('not ours')
    await drop(hash)
    const staging = openStaging(join(folder, 'uploads'))
    const staged = '01hzzzzzzz0123456789abcdef'
    await staging.empty(staged)
    await utimes(staging.pathOf(staged), new Date(0), new Date(0))
    const sweepAll = async () => {
      for (let day = 0; day <= 31; day += 1) {
        now = new Date(now.getTime() + DAY_MS)
        await sweepStorage({
          ...deps(),
          pictures: openThumbnails(blobs, openDiskCache(join(folder, 'pictures'))),
          staging,
        })
      }
      return { blob: await isThere(hash), staged: (await staging.bytesOf(staged)) !== undefined }
    }
    expect(await sweepAll()).toEqual({ blob: true, staged: true })
    await blobs.identity.replace('another')
    expect(await sweepAll()).toEqual({ blob: true, staged: true })
    expect(logged).toContain('no files are deleted')
    await adoptStorage({ ...deps(), newId })
    expect(await sweepAll()).toEqual({ blob: false, staged: false })
  })

  test('that is unknown to the database is reported and never deleted', async () => {
    const [path, hash] = [join(folder, 'local'), sha256('unknown')]
    await writeFile(path, 'unknown')
    await blobs.publish(path, hash)
    await rm(path)
    await store('known')
    expect(await sweepFor(40)).toBe(0)
    expect(await findUnknownFiles(deps())).toEqual({ count: 1, bytes: 7, sample: [hash] })
  })
})
