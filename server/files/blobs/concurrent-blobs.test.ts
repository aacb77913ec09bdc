import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { openThumbnails } from '#server/files/images/thumbnails.ts'
import { openDiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { openS3Storage } from '#server/platform/storage/s3/s3-storage.ts'
import { testPlace } from '#tests/support/files/s3-bucket.ts'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { deleteBlobRow, claimBlob, markBlobForRemoval, confirmBlob } from './blob-store.ts'
import { quarantineUnused, removeAllExpiredBlobs, removeBlob, withBlobsRetained } from './remove-blobs.ts'
import { publishBlob } from '#server/files/uploads/finish-upload.ts'
import { insertAsset } from '#server/files/uploads/store.ts'
import { createKeyedMutex } from '#server/platform/concurrency/locks.ts'

const NOW = new Date('2026-03-01T10:00:00.000Z')
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 60 * 60 * 1000)

let opened: OpenTestDatabase
let folder: string
beforeAll(async () => {
  opened = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'dossier-blobs-'))
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() =>
  opened.database.write(async ({ db }) => {
    await db.deleteFrom('assets').execute()
    await db.deleteFrom('blobs').execute()
    await db.deleteFrom('workspace').where('name', 'in', ['blobs-held-until', 'sweep-days']).execute()
  }),
)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The servers share only the database and the storage. */
const aServer = (blobs: BlobStorage, clock: () => Date) => ({
  database: opened.database,
  blobs,
  clock,
  blobTurns: createKeyedMutex(),
  pictures: openThumbnails(blobs, openDiskCache(join(folder, 'pictures'))),
  log: openLog('silent'),
})

/** The end of a quarantine that started at `since`, independent of the cleanup day. */
const endAt = (since: Date) => ({ since: since.toISOString(), day: 0 })

const quarantineAll = (at: Date) =>
  opened.database.write(({ db }) =>
    db.updateTable('blobs').set({ quarantined_at: at.toISOString(), quarantine_day: 0 }).execute(),
  )

const assetOn = (id: string, hash: string) => ({
  id,
  userId: null,
  hash,
  name: 'a.txt',
  type: 'text/plain',
  bytes: 1,
  width: null,
  height: null,
  collection: 'c' as CollectionId,
  field: 'f' as FieldId,
  record: null,
  ending: null,
})

const rows = async () =>
  (await opened.database.read.selectFrom('blobs').select(['hash', 'going_at']).orderBy('hash').execute()).map(
    ({ hash, going_at }) => [hash, going_at !== null],
  )

describe('a blob row', () => {
  const { write } = { write: ((work) => opened.database.write(work)) as OpenTestDatabase['database']['write'] }
  const hash = sha256('x')
  const deadline = { end: endAt(hoursAgo(1)), begunBefore: hoursAgo(0.25).toISOString() }
  const [old, now] = [hoursAgo(2).toISOString(), NOW.toISOString()]

  test('protects its blob from cleanup until the quarantine ends', async () => {
    expect(await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))).toBe(true)
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(false)
    await quarantineAll(NOW)
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(false)
    await quarantineAll(hoursAgo(2))
    expect(
      await write((t) => markBlobForRemoval(t, hash, now, { ...deadline, end: { ...deadline.end, day: -1 } })),
    ).toBe(false)
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(true)
  })

  test('can’t be claimed, confirmed or marked for removal again during removal', async () => {
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await quarantineAll(hoursAgo(2))
    await write((t) => markBlobForRemoval(t, hash, now, deadline))
    expect(await write((t) => claimBlob(t, { hash, bytes: 1, at: now }))).toBe(false)
    expect(await write((t) => confirmBlob(t, hash, now))).toBe(false)
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(false)
    await write((t) => deleteBlobRow(t, hash, 'another time'))
    expect(await rows()).toEqual([[hash, true]])
    await write((t) => deleteBlobRow(t, hash, now))
    expect(await rows()).toEqual([])
  })

  test('whose removal was abandoned is removed by another server', async () => {
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await quarantineAll(hoursAgo(2))
    await write((t) => markBlobForRemoval(t, hash, hoursAgo(0.5).toISOString(), deadline))
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(true)
  })

  test('is never removed while a file references it', async () => {
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await quarantineAll(hoursAgo(2))
    await write((t) => insertAsset(t, assetOn('1', hash), old, old))
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(false)
  })

  test('is kept during a backup and for 15 minutes after its last renewal', async () => {
    const { database } = opened
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await quarantineAll(hoursAgo(2))
    const swept = await withBlobsRetained({ database, clock: () => NOW }, () =>
      write((t) => markBlobForRemoval(t, hash, now, deadline)),
    )
    expect(swept).toBe(false)
    // A hold that started and ended earlier must not shorten a later one.
    await withBlobsRetained({ database, clock: () => hoursAgo(1) }, () => Promise.resolve())
    expect(await write((t) => markBlobForRemoval(t, hash, now, deadline))).toBe(false)
    const later = new Date(NOW.getTime() + 16 * 60 * 1000).toISOString()
    expect(await write((t) => markBlobForRemoval(t, hash, later, deadline))).toBe(true)
  })
})

describe.each(['on disk', 'in S3'])('two servers with shared storage %s', (where) => {
  let one: BlobStorage
  let other: BlobStorage
  beforeAll(async () => {
    const place = await testPlace()
    const open = (): BlobStorage =>
      where === 'in S3' ? openS3Storage(place, () => undefined) : openDiskStorage(join(folder, 'blobs'))
    one = open()
    other = open()
  })

  test('never lose a blob if one publishes it while the other removes it', async () => {
    const publisher = aServer(one, () => NOW)
    const sweeper = aServer(other, () => NOW)
    const [text, path, end] = ['the same bytes', join(folder, 'local'), endAt(NOW)]
    const hash = sha256(text)
    await writeFile(path, text)
    let removed = 0
    for (let round = 0; round < 12; round += 1) {
      const id = `asset-${round}`
      await Promise.all([
        publishBlob(publisher, { path, hash, bytes: text.length }, (t, now) =>
          insertAsset(t, assetOn(id, hash), now.toISOString(), now.toISOString()),
        ),
        removeBlob(sweeper, hash, end),
        quarantineAll(hoursAgo(2)).then(() => removeBlob(sweeper, hash, end)),
      ])
      const blob = await other.open(hash)
      expect(blob?.bytes, `round ${round}`).toBe(text.length)
      await opened.database.write(({ db }) => db.deleteFrom('assets').where('id', '=', id).execute())
      await quarantineAll(hoursAgo(2))
      await removeBlob(sweeper, hash, end)
      if ((await other.open(hash)) === undefined) removed += 1
    }
    expect(removed).toBe(12)
    expect(await rows()).toEqual([])
  })

  test('remove each blob once if both run a cleanup at the same time', async () => {
    let clock = hoursAgo(24 * 40)
    const servers = [aServer(one, () => clock), aServer(other, () => clock)]
    const hashes = await Promise.all(
      ['a', 'b', 'c'].map(async (text) => {
        const path = join(folder, `local-${text}`)
        await writeFile(path, text)
        await one.publish(path, sha256(text))
        await opened.database.write((t) =>
          claimBlob(t, { hash: sha256(text), bytes: 1, at: hoursAgo(24 * 50).toISOString() }),
        )
        return sha256(text)
      }),
    )
    let removed: number[] = []
    for (let day = 0; day <= 30; day += 1) {
      await Promise.all(servers.map((server) => quarantineUnused(server)))
      const counts = await Promise.all(servers.map(async (server) => (await removeAllExpiredBlobs(server)).count))
      if (day < 30) expect(counts).toEqual([0, 0])
      removed = counts
      clock = new Date(clock.getTime() + 24 * 60 * 60 * 1000)
    }
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(await Promise.all(hashes.map((hash) => other.open(hash)))).toEqual([undefined, undefined, undefined])
    expect(await rows()).toEqual([])
  })
})
