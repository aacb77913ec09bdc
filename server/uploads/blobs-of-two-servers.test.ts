import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { openPictures } from '#server/assets/pictures.ts'
import { openDiskCache } from '#server/storage/disk-cache.ts'
import { openDiskStorage } from '#server/storage/disk-storage.ts'
import type { BlobStorage } from '#server/storage/blob-storage.ts'
import { openS3Storage } from '#server/storage/s3/s3-storage.ts'
import { testPlace } from '#tests/support/s3-place.ts'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/test-database.ts'
import { adoptBlobs, buryBlob, claimBlob, condemnBlob, keepBlob } from './blob-store.ts'
import { whileBlobsStay } from './hold-blobs.ts'
import { publishBlob } from './publish-blob.ts'
import { removeBlobs, removeUnusedBlobs } from './remove-blobs.ts'
import { insertAsset } from './store.ts'
import { openTurns } from './turns.ts'

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
    await db.deleteFrom('workspace').where('name', '=', 'blobs-held-until').execute()
  }),
)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A server of its own: what it shares with others are the database and the storage. */
const aServer = (blobs: BlobStorage, clock: () => Date) => ({
  database: opened.database,
  blobs,
  clock,
  blobTurns: openTurns(),
  pictures: openPictures(blobs, openDiskCache(join(folder, 'pictures'))),
})

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

describe('the row of a blob', () => {
  const { write } = { write: ((work) => opened.database.write(work)) as OpenTestDatabase['database']['write'] }
  const hash = sha256('x')
  const deadline = { usedBefore: hoursAgo(1).toISOString(), begunBefore: hoursAgo(0.25).toISOString() }
  const [old, now] = [hoursAgo(2).toISOString(), NOW.toISOString()]

  test('keeps the sweep away for an hour, and lets it come then', async () => {
    expect(await write((t) => claimBlob(t, { hash, bytes: 1, at: now }))).toBe(true)
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(false)
    await opened.database.write(({ db }) => db.updateTable('blobs').set({ used_at: old }).execute())
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(true)
  })

  test('that is going can be neither claimed nor kept nor condemned, until it is buried', async () => {
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await write((t) => condemnBlob(t, hash, now, deadline))
    expect(await write((t) => claimBlob(t, { hash, bytes: 1, at: now }))).toBe(false)
    expect(await write((t) => keepBlob(t, hash, now))).toBe(false)
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(false)
    await write((t) => buryBlob(t, hash, 'another time'))
    expect(await rows()).toEqual([[hash, true]])
    await write((t) => buryBlob(t, hash, now))
    expect(await rows()).toEqual([])
  })

  test('whose remover died is removed by another', async () => {
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await write((t) => condemnBlob(t, hash, hoursAgo(0.5).toISOString(), deadline))
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(true)
  })

  test('is safe while a file stands on it', async () => {
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    await write((t) => insertAsset(t, assetOn('1', hash), old, old))
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(false)
  })

  test('stays while a backup is read, whoever sweeps, and may go a quarter of an hour after its last word', async () => {
    const { database } = opened
    await write((t) => claimBlob(t, { hash, bytes: 1, at: old }))
    const swept = await whileBlobsStay({ database, clock: () => NOW }, () =>
      write((t) => condemnBlob(t, hash, now, deadline)),
    )
    expect(swept).toBe(false)
    // One that began earlier and ends now takes nobody's hold away.
    await whileBlobsStay({ database, clock: () => hoursAgo(1) }, () => Promise.resolve())
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(false)
    const later = new Date(NOW.getTime() + 16 * 60 * 1000).toISOString()
    expect(await write((t) => condemnBlob(t, hash, later, deadline))).toBe(true)
  })

  test('is made for what the storage has and nobody speaks of, and left as it is else', async () => {
    const listed = [
      { hash, bytes: 1, storedAt: hoursAgo(3) },
      { hash: sha256('y'), bytes: 1, storedAt: hoursAgo(3) },
    ]
    await write((t) => claimBlob(t, { hash, bytes: 1, at: now }))
    await write((t) => adoptBlobs(t, listed))
    expect(await write((t) => condemnBlob(t, hash, now, deadline))).toBe(false)
    expect(await write((t) => condemnBlob(t, sha256('y'), now, deadline))).toBe(true)
  })
})

describe.each(['on disk', 'in S3'])('two servers with one storage %s', (where) => {
  let one: BlobStorage
  let other: BlobStorage
  beforeAll(async () => {
    const place = await testPlace()
    const open = (): BlobStorage =>
      where === 'in S3' ? openS3Storage(place, () => undefined) : openDiskStorage(join(folder, 'blobs'))
    one = open()
    other = open()
  })

  test('never lose a blob that one publishes, more than an hour late, while the other removes it', async () => {
    // What it claims is old at once, as when bytes took very long to be copied.
    const publisher = aServer(one, () => hoursAgo(2))
    const sweeper = aServer(other, () => NOW)
    const [text, path] = ['the same bytes', join(folder, 'local')]
    const hash = sha256(text)
    await writeFile(path, text)
    let removed = 0
    for (let round = 0; round < 12; round += 1) {
      const id = `asset-${round}`
      await Promise.all([
        publishBlob(publisher, { path, hash, bytes: text.length }, (t, now) =>
          insertAsset(t, assetOn(id, hash), now.toISOString(), now.toISOString()),
        ),
        removeBlobs(sweeper, [hash]),
        removeUnusedBlobs(sweeper),
      ])
      const blob = await other.open(hash)
      expect(blob?.bytes, `round ${round}`).toBe(text.length)
      await opened.database.write(({ db }) => db.deleteFrom('assets').where('id', '=', id).execute())
      await removeBlobs(sweeper, [hash])
      if ((await other.open(hash)) === undefined) removed += 1
    }
    expect(removed).toBe(12)
    expect(await rows()).toEqual([])
  })
})
