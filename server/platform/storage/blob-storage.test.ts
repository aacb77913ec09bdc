import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testPlace } from '#tests/support/files/s3-bucket.ts'
import type { BlobStorage, ListedBlob } from './blob-storage.ts'
import { openDiskStorage } from './disk/disk-storage.ts'
import { openS3Storage } from './s3/s3-storage.ts'

const DRIVERS = ['on disk', process.env['TEST_S3'] === undefined ? 'in S3' : 'in the S3 store of TEST_S3'] as const

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe.each(DRIVERS)('a blob %s', (driver) => {
  let folder: string
  let blobs: BlobStorage
  const reported: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dossier-storage-'))
    blobs =
      driver === 'on disk'
        ? openDiskStorage(join(folder, 'blobs'))
        : openS3Storage(await testPlace(), (error) => void reported.push(String(error)))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function publish(bytes: Buffer): Promise<string> {
    const [path, hash] = [join(folder, 'local'), sha256(bytes)]
    await writeFile(path, bytes)
    await blobs.publish(path, hash)
    await rm(path)
    return hash
  }

  const read = async (hash: string, range?: { start: number; end: number }): Promise<Buffer> =>
    Buffer.concat((await (await blobs.open(hash))?.read(range).toArray()) ?? [])

  async function listed(): Promise<ListedBlob[]> {
    const all: ListedBlob[] = []
    for await (const blob of blobs.list()) all.push(blob)
    return all
  }

  test('is stored under its hash, and can be read in whole or in part after the local file is deleted', async () => {
    const bytes = randomBytes(600_000)
    const hash = await publish(bytes)
    expect((await blobs.open(hash))?.bytes).toBe(bytes.length)
    expect(sha256(await read(hash))).toBe(hash)
    expect(await read(hash, { start: 5, end: 9 })).toEqual(bytes.subarray(5, 10))
    expect(await read(hash, { start: 599_999, end: 599_999 })).toEqual(bytes.subarray(599_999))
  })

  test('can be empty', async () => {
    const hash = await publish(Buffer.alloc(0))
    expect((await blobs.open(hash))?.bytes).toBe(0)
    expect(await read(hash)).toHaveLength(0)
  })

  test.each([8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 20_000_003])(
    'with %i bytes is returned unchanged',
    async (length) => {
      const bytes = randomBytes(length)
      const hash = await publish(bytes)
      expect(sha256(await read(hash))).toBe(hash)
      const last = { start: length - 1000, end: length - 1 }
      expect(await read(hash, last)).toEqual(bytes.subarray(last.start))
    },
  )

  test('is stored once, no matter how often it is published', async () => {
    const bytes = randomBytes(1000)
    const before = (await listed()).length
    const hash = await publish(bytes)
    await publish(bytes)
    const now = await listed()
    expect(now).toHaveLength(before + 1)
    const found = now.find((blob) => blob.hash === hash)
    expect(found?.bytes).toBe(1000)
    expect(found?.storedAt).toBeInstanceOf(Date)
  })

  test('is listed with all other blobs, no matter how many there are', async () => {
    const hashes = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((size) => publishAs(`many-${size}`, randomBytes(size))))
    const there = (await listed()).map(({ hash }) => hash)
    expect(there).toEqual(expect.arrayContaining(hashes))
    expect(new Set(there).size).toBe(there.length)
  })

  async function publishAs(name: string, bytes: Buffer): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, bytes)
    await blobs.publish(path, sha256(bytes))
    return sha256(bytes)
  }

  test('no longer exists after removal, and can be removed again without an error', async () => {
    const hash = await publish(randomBytes(10))
    await blobs.remove(hash)
    await blobs.remove(hash)
    expect(await blobs.open(hash)).toBeUndefined()
    expect((await listed()).map((blob) => blob.hash)).not.toContain(hash)
  })

  test('counts as missing if its bytes have changed', async () => {
    if (driver === 'on disk') return
    for (const length of [100, 9_000_000]) {
      const path = join(folder, 'changed')
      const hash = sha256(randomBytes(length))
      await writeFile(path, randomBytes(length))
      await expect(blobs.publish(path, hash)).rejects.toThrow('is no longer')
      expect(await blobs.open(hash)).toBeUndefined()
    }
  })

  test('is kept when unfinished uploads of other blobs are removed', async () => {
    const hash = await publish(randomBytes(10))
    await blobs.removeHalves(new Date(Date.now() + 60_000))
    expect(await blobs.open(hash)).toBeDefined()
  })

  test('can be stored in storage that passes the health check', async () => {
    await expect(blobs.check()).resolves.toBeUndefined()
    expect(reported).toEqual([])
  })

  test("storage belongs to the first workspace that claims it, until the workspace ID is replaced; the ID isn't listed as a blob", async () => {
    const before = await listed()
    expect(await blobs.identity.read()).toBeUndefined()
    const claimed = await Promise.all(['one', 'two', 'three', 'four'].map((id) => blobs.identity.claim(id)))
    const owner = await blobs.identity.read()
    expect(new Set(claimed)).toEqual(new Set([owner]))
    expect(await blobs.identity.claim('late')).toBe(owner)
    await blobs.identity.replace('other')
    expect(await blobs.identity.read()).toBe('other')
    expect(await listed()).toEqual(before)
  })

  test("can't be accessed by a path", async () => {
    await expect((async () => blobs.open('../x'))()).rejects.toThrow('A blob name must be a SHA-256 hash in hex.')
  })
})

test('unfinished copies on disk are removed after some time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-storage-'))
  const half = join(folder, `${'a'.repeat(64)}.1.new`)
  await writeFile(half, 'half')
  await utimes(half, new Date('2026-03-01'), new Date('2026-03-01'))
  const blobs = openDiskStorage(folder)
  await blobs.removeHalves(new Date('2026-02-28'))
  expect(await readdir(folder)).toHaveLength(1)
  await blobs.removeHalves(new Date('2026-03-02'))
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
