import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testPlace } from '#tests/support/files/s3-bucket.ts'
import type { BlobStorage } from './blob-storage.ts'
import { copyBlobs } from './copy-blobs.ts'
import { openDiskStorage } from './disk/disk-storage.ts'
import { openS3Storage } from './s3/s3-storage.ts'

let folder: string
let disk: BlobStorage
let store: BlobStorage
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-copy-'))
  disk = openDiskStorage(join(folder, 'blobs'))
  store = openS3Storage(await testPlace(), () => undefined)
})
afterEach(() => rm(folder, { recursive: true }))

async function publish(bytes: Buffer, into: BlobStorage): Promise<string> {
  const [path, hash] = [join(folder, 'file'), createHash('sha256').update(bytes).digest('hex')]
  await writeFile(path, bytes)
  await into.publish(path, hash)
  await rm(path)
  return hash
}

const way = (from: BlobStorage, to: BlobStorage) => ({ from, to, folder: join(folder, 'on-the-way') })

test('missing blobs are copied from disk to S3 and back, without leftover files', async () => {
  const files = Array.from({ length: 20 }, (_, at) => randomBytes(at * 1000))
  const hashes: string[] = []
  for (const bytes of files) hashes.push(await publish(bytes, disk))
  await publish(files[3] ?? Buffer.alloc(0), store)
  const there = await copyBlobs(way(disk, store), () => undefined)
  expect(there).toMatchObject({ copied: 19, there: 1 })
  expect(await copyBlobs(way(disk, store), () => undefined)).toEqual({ copied: 0, there: 20, bytes: 0 })

  const empty = openDiskStorage(join(folder, 'back'))
  const reported: number[] = []
  await copyBlobs(way(store, empty), ({ copied }) => reported.push(copied))
  expect(reported).toHaveLength(20)
  for (const [at, hash] of hashes.entries()) {
    const blob = await empty.open(hash)
    expect(Buffer.concat((await blob?.read().toArray()) ?? [])).toEqual(files[at])
  }
  expect(await readdir(folder)).not.toContain('on-the-way')
})

test('a damaged blob is reported, and not copied', async () => {
  const hash = await publish(randomBytes(10), disk)
  await writeFile(disk.pathOf(hash) ?? '', 'other text')
  await expect(copyBlobs(way(disk, store), () => undefined)).rejects.toThrow(`Blob ${hash} is damaged`)
  expect(await store.open(hash)).toBeUndefined()
})
