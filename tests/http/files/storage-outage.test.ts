import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openS3Storage } from '#server/platform/storage/s3/s3-storage.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { placeAt } from '#tests/support/files/s3-bucket.ts'
import { openS3Server, type S3Server } from '#tests/support/files/s3-server.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let store: S3Server
let app: TestApp
let url: string
let owner: Caller
let mine: TusSender
const target = { collection: 'plans', field: 'files' }

beforeAll(async () => {
  store = await openS3Server()
  app = await openTestApp({ config: { s3: placeAt(store) } })
  url = await app.listen()
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
})
afterAll(async () => {
  await app.close()
  await store.stop()
})
afterEach(() => store.misbehave(undefined))

const read = (id: string, query = '') =>
  fetch(`${url}/api/files/${id}${query}`, { headers: { authorization: `Bearer ${owner.token}` } })

const bytesOf = async (id: string): Promise<Buffer> => Buffer.from(await (await read(id)).arrayBuffer())

test('completes an upload once storage recovers from an outage that began at the last byte', async () => {
  const bytes = randomBytes(50_000)
  const id = await mine.begin(target, bytes.length)
  store.misbehave(() => 'hang-up')
  const last = await mine.patch(id, 0, bytes)
  expect(last.status).toBe(503)
  expect(last.headers.get('retry-after')).toBe('15')
  expect((await last.json()).code).toBe('storage-away')
  expect((await read(id)).status).toBe(404)

  store.misbehave(undefined)
  expect((await mine.head(id)).headers.get('upload-offset')).toBe('50000')
  expect(await bytesOf(id)).toEqual(bytes)
})

test('tus-js-client retries until a complete upload can be stored, and never starts over', async () => {
  const bytes = randomBytes(50_000)
  const requested: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  store.misbehave(() => 'hang-up')
  const upload = new Upload(bytes, {
    endpoint: `${url}/api/tus?collection=plans&field=files`,
    headers: { authorization: `Bearer ${owner.token}` },
    retryDelays: [10, 20, 30],
    onAfterResponse: (request, response) => {
      requested.push(`${request.getMethod()} ${response.getStatus()}`)
      if (requested.length === 3) store.misbehave(undefined)
    },
    onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
    onError: reject,
  })
  upload.start()
  expect(await bytesOf(await promise)).toEqual(bytes)
  expect(requested).toEqual(['POST 201', 'PATCH 503', 'HEAD 423', 'HEAD 200'])
})

test('the next cleanup completes the upload if the client never retries', async () => {
  const bytes = randomBytes(50_000)
  const id = await mine.begin(target, bytes.length)
  store.misbehave(() => 'hang-up')
  await mine.patch(id, 0, bytes)
  store.misbehave(undefined)
  await (await app.startAnother()).stop()
  expect(await bytesOf(id)).toEqual(bytes)
})

test('while storage is down, the server runs but is not ready, and file requests return Retry-After', async () => {
  const id = await mine.send(target, await sampleImage(300, 200), 'a.png')
  store.misbehave(() => 'hang-up')
  expect((await owner.get('/api/health')).status).toBe(200)
  expect((await owner.get('/api/ready')).status).toBe(503)
  for (const query of ['', '?w=96', '?download']) {
    const answer = await read(id, query)
    expect([answer.status, answer.headers.get('retry-after')], query).toEqual([503, '15'])
  }
  store.misbehave(undefined)
  expect((await owner.get('/api/ready')).status).toBe(200)
  const small = await read(id, '?w=96')
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(await readdir(join(app.config.dataFolder, 'pictures', 'borrowed'))).toEqual([])
})

test("cleanup never deletes other applications' objects in the bucket", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-other-'))
  const [path, bytes] = [join(folder, 'theirs'), randomBytes(10)]
  const hash = createHash('sha256').update(bytes).digest('hex')
  await writeFile(path, bytes)
  const theirs = openS3Storage(placeAt(store), () => undefined)
  await theirs.publish(path, hash)
  app.clock.move(48 * 60 * 60 * 1000)
  await (await app.startAnother()).stop()
  expect((await theirs.open(hash))?.bytes).toBe(10)
  await rm(folder, { recursive: true })
})
