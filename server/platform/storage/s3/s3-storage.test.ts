import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { secret } from '#server/platform/config/setting-readers.ts'
import { placeAt } from '#tests/support/files/s3-bucket.ts'
import { openS3Server, type S3Server } from '#tests/support/files/s3-server.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { partBytesOf } from './s3-publish.ts'
import { openS3Storage } from './s3-storage.ts'
import { describeS3StartError } from './s3-client.ts'

let folder: string
let server: S3Server
let reported: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-s3-'))
  server = await openS3Server()
  reported = []
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const open = (place = placeAt(server)) => openS3Storage(place, (error) => void reported.push(String(error)))

async function aFile(bytes: Buffer): Promise<{ path: string; hash: string }> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  return { path, hash: sha256(bytes) }
}

const LARGE = 9_000_000

describe('an S3 store with brief failures', () => {
  test('is retried without an error', async () => {
    const blobs = open()
    const bytes = randomBytes(LARGE)
    const { path, hash } = await aFile(bytes)
    const requested = { POST: 0, PUT: 0 }
    server.misbehave(({ method }) => {
      if (method !== 'POST' && method !== 'PUT') return undefined
      requested[method] += 1
      // Two parts are in flight: with more than three failed requests, one part could use up all four attempts.
      const isRefused = method === 'POST' ? requested.POST % 3 !== 0 : requested.PUT <= 3
      if (!isRefused) return undefined
      return requested[method] % 2 === 0 ? 'refuse' : 'hang-up'
    })
    await blobs.publish(path, hash)
    server.misbehave(undefined)
    expect(sha256([...server.objects.values()][0] ?? Buffer.alloc(0))).toBe(hash)
    expect(server.halves.size).toBe(0)
    expect(reported).toEqual([])
  })

  test('resumes an interrupted response body with the remaining bytes', async () => {
    const blobs = open()
    const bytes = randomBytes(LARGE)
    const { path, hash } = await aFile(bytes)
    await blobs.publish(path, hash)
    let left = 2
    server.misbehave(({ method }) => (method === 'GET' && (left -= 1) >= 0 ? 'cut' : undefined))
    const blob = await blobs.open(hash)
    const read = Buffer.concat((await blob?.read({ start: 7, end: LARGE - 8 }).toArray()) ?? [])
    expect(sha256(read)).toBe(sha256(bytes.subarray(7, LARGE - 7)))
  })
})

describe('an S3 store that stays unreachable', () => {
  test('leaves no partial object and is reported with a retry time', async () => {
    const blobs = open()
    const { path, hash } = await aFile(randomBytes(LARGE))
    let parts = 0
    server.misbehave(({ method }) => (method === 'PUT' && (parts += 1) > 1 ? 'refuse' : undefined))
    await expect(blobs.publish(path, hash)).rejects.toMatchObject({
      code: 'storage-away',
      status: 503,
      details: { retryAfterSeconds: 15 },
    })
    expect(server.objects.size).toBe(0)
    expect(server.halves.size).toBe(0)
    expect(reported[0]).toContain('SlowDown')
  })

  test('fails every storage operation', async () => {
    const blobs = open()
    const { path, hash } = await aFile(randomBytes(10))
    await server.stop()
    const questions = [
      () => blobs.publish(path, hash),
      () => blobs.open(hash),
      () => blobs.remove(hash),
      () => blobs.check(),
      () => blobs.list()[Symbol.asyncIterator]().next(),
    ]
    for (const question of questions) await expect(question()).rejects.toMatchObject({ code: 'storage-away' })
    server = await openS3Server()
  })

  test('times out after the limit for metadata requests, and earlier for health checks', async () => {
    const blobs = open()
    const { path, hash } = await aFile(randomBytes(10))
    await blobs.publish(path, hash)
    const blob = await blobs.open(hash)
    const readAll = async () => blob?.read().toArray()
    server.misbehave(() => 'silent')
    const startedAt = performance.now()
    await expect(blobs.check()).rejects.toMatchObject({ code: 'storage-away' })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const questions = [blobs.publish(path, hash), blobs.open(hash), blobs.remove(hash), readAll()]
    const outcomes = await Promise.allSettled(questions)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'storage-away' } })
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  test('reports the same problem to the reader if every response body is interrupted', async () => {
    const blobs = open()
    const { path, hash } = await aFile(randomBytes(100_000))
    await blobs.publish(path, hash)
    server.misbehave(({ method }) => (method === 'GET' ? 'cut' : undefined))
    const blob = await blobs.open(hash)
    await expect(blob?.read().toArray()).rejects.toMatchObject({ code: 'storage-away' })
  })
})

test('incomplete multipart uploads are removed after some time', async () => {
  const blobs = open()
  const { path, hash } = await aFile(randomBytes(LARGE))
  server.misbehave(({ method }) => (method === 'DELETE' || method === 'PUT' ? 'refuse' : undefined))
  await expect(blobs.publish(path, hash)).rejects.toThrow()
  server.misbehave(undefined)
  expect(server.halves.size).toBe(1)
  await blobs.removeHalves(new Date(Date.now() - 60_000))
  expect(server.halves.size).toBe(1)
  await blobs.removeHalves(new Date(Date.now() + 60_000))
  expect(server.halves.size).toBe(0)
})

test("uploads under a longer prefix are treated as another workspace's", async () => {
  const [outer, inner] = [open({ ...placeAt(server), prefix: '' }), open({ ...placeAt(server), prefix: 'blobs/' })]
  const { path, hash } = await aFile(randomBytes(LARGE))
  server.misbehave(({ method }) => (method === 'DELETE' || method === 'PUT' ? 'refuse' : undefined))
  await expect(inner.publish(path, hash)).rejects.toThrow()
  server.misbehave(undefined)
  await outer.removeHalves(new Date(Date.now() + 60_000))
  expect(server.halves.size).toBe(1)
  await inner.removeHalves(new Date(Date.now() + 60_000))
  expect(server.halves.size).toBe(0)
})

test('the transfer from S3 is aborted when the client disconnects', async () => {
  const blobs = open()
  const { path, hash } = await aFile(randomBytes(LARGE))
  await blobs.publish(path, hash)
  const stream = (await blobs.open(hash))?.read()
  await new Promise((resolve) => stream?.once('data', resolve))
  stream?.destroy()
  await expect.poll(() => stream?.closed, EVENTUALLY).toBe(true)
})

test("two workspaces sharing a bucket can't see each other's objects", async () => {
  const [one, other] = [open(), open()]
  const { path, hash } = await aFile(randomBytes(10))
  await one.publish(path, hash)
  expect(await other.open(hash)).toBeUndefined()
  expect(await other.list()[Symbol.asyncIterator]().next()).toMatchObject({ done: true })
})

test('multipart uploads have equal parts of at least 8 MiB, and at most a thousand', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5e12 }), (bytes) => {
      const part = partBytesOf(bytes)
      expect(part % (1024 * 1024)).toBe(0)
      expect(part).toBeGreaterThanOrEqual(8 * 1024 * 1024)
      expect(Math.ceil(bytes / part)).toBeLessThanOrEqual(1000)
    }),
  )
})

describe('startup with S3 settings', () => {
  test('succeeds if the settings are valid', async () => {
    expect(await describeS3StartError(placeAt(server))).toBeUndefined()
  })

  test.each([
    ['S3_BUCKET', { bucket: 'elsewhere' }],
    ['S3_ACCESS_KEY_ID', { accessKeyId: 'nobody' }],
    ['S3_SECRET_ACCESS_KEY', { secretAccessKey: secret('wrong') }],
    ['S3_ENDPOINT', { endpoint: new URL('http://127.0.0.1:9') }],
  ])('stops with an error that names %s when it is wrong', async (name, wrong) => {
    const sentence = await describeS3StartError({ ...placeAt(server), ...wrong })
    expect(sentence).toMatch(new RegExp(`^${name}\\b`))
    expect(sentence).not.toContain(server.key.secret)
  })
})
