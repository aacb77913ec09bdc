import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Upload as TusUpload } from 'tus-js-client'
import { MAX_DRAINED_BYTES } from '#server/http/mount-route.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let mine: TusSender
const target = { collection: 'plans', field: 'files' }
const pictures = { collection: 'plans', field: 'pictures' }

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  await owner.post('/api/collections', {
    label: 'Plans',
    fields: [
      { label: 'Files', kind: 'files' },
      { label: 'Pictures', kind: 'files', options: { accept: ['image/*'] } },
    ],
  })
})
afterAll(() => app.close())

const MEGABYTE = 1_000_000

type Headers = Readonly<Record<string, string | number>>

/** Opens a raw connection, because ordinary clients can't send without reading. */
function dial(): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // The server may close the connection first.
  socket.on('error', () => undefined)
  return socket
}

const head = (method: string, path: string, headers: Headers): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

const chunkHeaders = (bytes: number, more: Headers = {}): Headers => ({
  authorization: `Bearer ${owner.token}`,
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-offset': 0,
  'content-length': bytes,
  ...more,
})

/** Sends the whole request before reading the response, as browsers do; returns the status and problem code. */
async function sendThenRead(method: string, path: string, headers: Headers, body: Buffer): Promise<unknown> {
  const socket = dial()
  socket.pause()
  socket.write(head(method, path, headers))
  await new Promise<void>((resolve) => socket.write(body, () => resolve()))
  socket.resume()
  let answer = ''
  for await (const part of socket) {
    answer += String(part)
    if (answer.includes('"requestId"')) break
  }
  socket.destroy()
  return [Number(answer.slice(9, 12)), /"code":"([\w-]+)"/.exec(answer)?.[1]]
}

const staged = (): Promise<string[]> => readdir(join(app.config.dataFolder, 'uploads')).catch(() => [])

describe('a rejection', () => {
  const body = randomBytes(20 * MEGABYTE)

  test('an early rejection reaches a client that reads only after sending', async () => {
    const open = await mine.begin(target, body.length)
    const small = await mine.begin(target, 10)
    const path = `/api/tus/${open}`
    const stranger = await app.asEditor()
    const viewer = await app.asViewer()
    const bytes = body.length
    const sent = (to: string, more: Headers = {}, method = 'PATCH') =>
      sendThenRead(method, to, chunkHeaders(bytes, more), body)
    expect(await sent(path, { authorization: 'Bearer none' })).toEqual([401, 'token-invalid'])
    expect(await sent(path, { authorization: `Bearer ${stranger.token}` })).toEqual([404, 'not-found'])
    expect(await sent(path, { 'content-type': 'text/plain' })).toEqual([415, 'wrong-content-type'])
    expect(await sent(path, { 'tus-resumable': '0.2.0' })).toEqual([412, 'upload-version-unknown'])
    expect(await sent(path, { 'upload-offset': 5 })).toEqual([409, 'upload-offset-wrong'])
    expect(await sent(`/api/tus/${small}`)).toEqual([413, 'too-large'])
    const create = { 'upload-length': bytes, authorization: `Bearer ${viewer.token}` }
    expect(await sent('/api/tus?collection=plans&field=files', create, 'POST')).toEqual([403, 'forbidden'])
    expect(await sent(`/api/uploads?patch=${small}`)).toEqual([413, 'too-large'])
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await sent('/api/uploads', form, 'POST')).toEqual([400, 'invalid-upload'])
  })

  test('an early rejection is sent immediately, and the connection is reusable', async () => {
    const socket = dial()
    const answers: string[] = []
    socket.on('data', (part) => answers.push(String(part)))
    socket.write(head('PATCH', '/api/tus/nothing', chunkHeaders(2 * MEGABYTE)))
    await once(socket, 'data')
    expect(answers.join('')).toContain('404 Not Found')
    socket.write(body.subarray(0, 2 * MEGABYTE))
    socket.write(head('GET', '/api/health', {}))
    while (!answers.join('').includes('"version"')) await once(socket, 'data')
    expect(answers.join('')).toContain('200 OK')
    socket.destroy()
  })

  test('an early rejection closes the connection of a sender that never stops', async () => {
    const socket = dial()
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.resume()
    socket.write(head('PATCH', '/api/tus/nothing', chunkHeaders(100_000 * MEGABYTE)))
    let sent = 0
    while (!socket.destroyed && sent < 10 * MAX_DRAINED_BYTES) {
      sent += MEGABYTE
      const drained = new Promise<void>((resolve) => socket.once('drain', () => resolve()))
      if (!socket.write(body.subarray(0, MEGABYTE))) await Promise.race([drained, closed])
    }
    await closed
    expect(sent).toBeLessThan(5 * MAX_DRAINED_BYTES)
  })
})

describe('a file of a disallowed type', () => {
  const GIGABYTES = 2_000_000_000

  test('is rejected after its first bytes, and nothing is stored', async () => {
    const id = await mine.begin(pictures, GIGABYTES, 'a.png', 'image/png')
    const socket = dial()
    socket.write(head('PATCH', `/api/tus/${id}`, chunkHeaders(GIGABYTES)))
    socket.write(randomBytes(5000))
    const [answer] = await once(socket, 'data')
    socket.destroy()
    expect(String(answer)).toContain('422 Unprocessable')
    expect(String(answer)).toContain('file-type-refused')
    expect((await mine.head(id)).status).toBe(410)
    expect(await staged()).not.toContain(id)
  })

  test('is rejected even if its signature spans several small chunks', async () => {
    const bytes = randomBytes(10_000)
    const id = await mine.begin(pictures, GIGABYTES, 'a.png')
    for (const offset of [0, 2000]) {
      expect((await mine.patch(id, offset, bytes.subarray(offset, offset + 2000))).status).toBe(204)
    }
    const refused = await mine.patch(id, 4000, bytes.subarray(4000, 6000))
    expect([refused.status, (await refused.json()).code]).toEqual([422, 'file-type-refused'])
  })

  test('is rejected in a form upload before the form is complete', async () => {
    const socket = dial()
    const type = 'multipart/form-data; boundary=x'
    socket.write(
      head('POST', '/api/uploads?collection=plans&field=pictures', chunkHeaders(GIGABYTES, { 'content-type': type })),
    )
    socket.write('--x\r\ncontent-disposition: form-data; name="filepond"; filename="a.png"\r\n\r\n')
    socket.write(randomBytes(9000))
    const [answer] = await once(socket, 'data')
    socket.destroy()
    expect(String(answer)).toContain('file-type-refused')
  })

  test('has its detected type stored during the upload', async () => {
    const picture = Buffer.concat([await sampleImage(20, 20), Buffer.alloc(10_000)])
    const id = await mine.begin(pictures, picture.length, 'a.png')
    await mine.patch(id, 0, picture.subarray(0, 8000))
    const { sniffed_type: type } = await app.database.read
      .selectFrom('uploads')
      .select('sniffed_type')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(type).toMatch(/^image\/(png|jpeg)$/)
  })

  test('is sent only once by tus-js-client, without retries', async () => {
    const requests: string[] = []
    const refused = await new Promise<Error>((resolve, reject) => {
      new TusUpload(randomBytes(100_000), {
        endpoint: `${url}/api/tus?collection=plans&field=pictures`,
        headers: { authorization: `Bearer ${owner.token}` },
        metadata: { filename: 'a.png', filetype: 'image/png' },
        retryDelays: [10, 10, 10],
        onBeforeRequest: (request) => void requests.push(request.getMethod()),
        onError: resolve,
        onSuccess: () => reject(new Error('It was taken.')),
      }).start()
    })
    expect(refused.message).toContain('file-type-refused')
    expect(requests).toEqual(['POST', 'PATCH'])
  })
})

describe('a chunk with a checksum', () => {
  const bytes = randomBytes(30_000)
  const sumOf = (algorithm: string, some: Buffer) =>
    `${algorithm} ${createHash(algorithm).update(some).digest('base64')}`

  const patch = (id: string, offset: number, some: Buffer, sum: string) =>
    fetch(`${url}/api/tus/${id}`, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'upload-checksum': sum,
      },
      body: Buffer.from(some),
    })

  test('is accepted if the checksum matches, for each algorithm', async () => {
    const spoken = await fetch(`${url}/api/tus`, { method: 'OPTIONS' })
    expect(spoken.headers.get('tus-extension')?.split(',')).toContain('checksum')
    const algorithms = spoken.headers.get('tus-checksum-algorithm')?.split(',') ?? []
    expect(algorithms).toEqual(['sha1', 'sha256', 'sha384', 'sha512', 'md5'])
    const id = await mine.begin(target, bytes.length)
    for (const [at, algorithm] of algorithms.entries()) {
      const some = bytes.subarray(at * 6000, at * 6000 + 6000)
      expect((await patch(id, at * 6000, some, sumOf(algorithm, some))).status).toBe(204)
    }
    const file = await fetch(`${url}/api/files/${id}`, { headers: { authorization: `Bearer ${owner.token}` } })
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('is rejected with 460 if the checksum does not match, and nothing is stored', async () => {
    const id = await mine.begin(target, bytes.length)
    const first = bytes.subarray(0, 10_000)
    await patch(id, 0, first, sumOf('sha256', first))
    const damaged = await patch(id, 10_000, bytes.subarray(0, 20_000), sumOf('sha1', bytes.subarray(10_000)))
    expect([damaged.status, (await damaged.json()).code]).toEqual([460, 'checksum-mismatch'])
    expect((await mine.head(id)).headers.get('upload-offset')).toBe('10000')
    expect((await patch(id, 10_000, bytes.subarray(10_000), sumOf('sha1', bytes.subarray(10_000)))).status).toBe(204)
    const file = await fetch(`${url}/api/files/${id}`, { headers: { authorization: `Bearer ${owner.token}` } })
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('is stored completely or not at all', async () => {
    const id = await mine.begin(target, bytes.length)
    const socket = dial()
    const sum = { 'upload-checksum': sumOf('sha1', bytes) }
    socket.write(head('PATCH', `/api/tus/${id}`, chunkHeaders(bytes.length, sum)))
    await new Promise<void>((resolve) => socket.write(bytes.subarray(0, 20_000), () => resolve()))
    socket.destroy()
    expect((await mine.resume(id, bytes)).status).toBe(204)
  })

  test('is rejected if the algorithm is unknown', async () => {
    const id = await mine.begin(target, bytes.length)
    const refused = await patch(id, 0, bytes, 'crc32 AAAAAA==')
    expect([refused.status, (await refused.json()).detail]).toEqual([
      400,
      'Unsupported Upload-Checksum algorithm: use sha1, sha256, sha384, sha512, md5, not “crc32”.',
    ])
  })
})

test.each([
  ['upload-defer-length', '1', 'The file size must be known when the upload starts. Send Upload-Length.'],
  ['upload-concat', 'partial', 'one upload'],
])('the unsupported tus feature %s is rejected with an alternative', async (header, value, way) => {
  const answer = await mine.create(target, { [header]: value, 'upload-length': '10' })
  expect([answer.status, (await answer.json()).detail]).toEqual([400, expect.stringContaining(way)])
})
