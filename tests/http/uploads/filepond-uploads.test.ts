import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let url: string
let owner: Caller
const target = { collection: 'plans', field: 'files' }

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  await owner.post('/api/collections', {
    label: 'Plans',
    fields: [
      { label: 'Files', kind: 'files' },
      { label: 'Pictures', kind: 'files', options: { accept: ['image/*'], maxBytes: 100_000 } },
      { label: 'One', kind: 'files', options: { max: 1 } },
      { label: 'Notes', kind: 'rich-text' },
    ],
  })
})
afterAll(() => app.close())

type Headers = Record<string, string>

const call = (method: string, query: string, headers: Headers = {}, body?: BodyInit | null) =>
  fetch(`${url}/api/uploads${query}`, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const codeOf = async (answer: Response): Promise<unknown> => [answer.status, (await answer.json()).code]

const assetIds = async (): Promise<readonly string[]> =>
  (await app.database.read.selectFrom('assets').select('id').orderBy('id').execute()).map(({ id }) => id)

/** A form as sent by FilePond, with metadata and file under the same field name. */
function aForm(
  metadata: object,
  file?: { readonly bytes: Buffer; readonly name: string; readonly type?: string },
): FormData {
  const form = new FormData()
  form.append('filepond', JSON.stringify(metadata))
  if (file) form.append('filepond', new Blob([Buffer.from(file.bytes)], { type: file.type ?? '' }), file.name)
  return form
}

const send = (metadata: object, file?: Parameters<typeof aForm>[1], headers: Headers = {}) =>
  call('POST', '', headers, aForm(metadata, file))

/** Starts a chunked upload; returns the upload ID. */
async function begin(bytes: number, metadata: object = target): Promise<string> {
  const answer = await send(metadata, undefined, { 'upload-length': String(bytes) })
  expect(answer.status).toBe(201)
  return answer.text()
}

const chunkHeaders = (offset: number, size: number, name = 'plan.bin'): Headers => ({
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
  'upload-length': String(size),
  'upload-name': Buffer.from(name).toString('latin1'),
})

const patch = (id: string, offset: number, whole: Buffer, length: number) =>
  call(
    'PATCH',
    `?patch=${id}`,
    chunkHeaders(offset, whole.length),
    Buffer.from(whole.subarray(offset, offset + length)),
  )

const load = async (id: string): Promise<Buffer> => Buffer.from(await (await call('GET', `?load=${id}`)).arrayBuffer())

/** Sends part of a chunk and then closes the connection. */
async function cut(id: string, offset: number, announced: number, bytes: Buffer): Promise<void> {
  const headers = {
    ...chunkHeaders(offset, announced),
    'upload-length': '25000',
    authorization: `Bearer ${owner.token}`,
    'content-length': String(announced),
  }
  const sending = httpRequest(`${url}/api/uploads?patch=${id}`, { method: 'PATCH', headers })
  const closed = new Promise<void>((resolve) => sending.on('close', resolve))
  // Destroying the request emits an error event.
  sending.on('error', () => undefined)
  sending.write(bytes, () => sending.destroy())
  await closed
}

/** Sends a chunk without a Content-Length header. */
const sendUnmeasured = (id: string, headers: Headers, body: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sending = httpRequest(`${url}/api/uploads?patch=${id}`, {
      method: 'PATCH',
      headers: { ...headers, authorization: `Bearer ${owner.token}`, 'transfer-encoding': 'chunked' },
    })
    sending.on('error', reject)
    sending.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sending.end(body)
  })

describe('a form upload', () => {
  test('returns the file ID as plain text', async () => {
    const bytes = randomBytes(30_000)
    const answer = await send(target, { bytes, name: 'Plan ü.bin' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'text/plain; charset=utf-8'])
    const id = await answer.text()
    expect(id).toMatch(/^[0-9a-z]{26}$/)
    const loaded = await call('GET', `?load=${id}`)
    expect(Buffer.from(await loaded.arrayBuffer())).toEqual(bytes)
    expect(loaded.headers.get('content-disposition')).toContain("filename*=UTF-8''Plan%20%C3%BC.bin")
    expect(loaded.headers.get('content-length')).toBe('30000')
  })

  test('accepts quotation marks in file names, which browsers escape', async () => {
    const id = await (await send(target, { bytes: Buffer.from('x'), name: 'a "quoted" plan.txt' })).text()
    const disposition = (await call('GET', `?load=${id}`)).headers.get('content-disposition') ?? ''
    expect(disposition).toContain(String.raw`filename="a \"quoted\" plan.txt"`)
  })

  test('can specify its target in the URL', async () => {
    const query = `?${new URLSearchParams(target).toString()}`
    expect((await call('POST', query, {}, aForm({}, { bytes: Buffer.from('a'), name: 'a.txt' }))).status).toBe(201)
    expect(await codeOf(await send({}, { bytes: Buffer.from('a'), name: 'a' }))).toEqual([400, 'upload-target-missing'])
  })

  test("is validated against the field's rules by its content", async () => {
    const pictures = { ...target, field: 'pictures' }
    const lie = { bytes: Buffer.from('%PDF-1.7'), name: 'a.png', type: 'image/png' }
    expect(await codeOf(await send(pictures, lie))).toEqual([422, 'file-type-refused'])
    const large = {
      bytes: Buffer.concat([await sampleImage(10, 10), randomBytes(100_001)]),
      name: 'a.png',
      type: 'image/png',
    }
    expect(await codeOf(await send(pictures, large))).toEqual([413, 'too-large'])
    const picture = { bytes: await sampleImage(10, 10), name: 'a.dat' }
    expect((await send(pictures, picture)).status).toBe(201)
  })

  test('is rejected if it is malformed, empty or of another content type', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await codeOf(await call('POST', '', type, '--x\r\nnothing'))).toEqual([400, 'invalid-upload'])
    expect(await codeOf(await call('POST', '', { 'content-type': 'multipart/form-data' }, 'x'))).toEqual([
      415,
      'wrong-content-type',
    ])
    expect(await codeOf(await send(target))).toEqual([400, 'invalid-upload'])
    const two = aForm(target, { bytes: Buffer.from('a'), name: 'a' })
    two.append('filepond', new Blob(['b']), 'b')
    expect(await codeOf(await call('POST', '', {}, two))).toEqual([400, 'invalid-upload'])
  })
})

describe('a form upload attached to a record', () => {
  const SOME = { bytes: Buffer.from('a'), name: 'a.txt' }
  const newRecord = async (): Promise<string> => (await owner.post('/api/collections/plans/records', {})).body.id
  const recordOf = async (id: string) => (await owner.get(`/api/collections/plans/records/${id}`)).body
  const attach = (record: string, more: object = {}, headers: Headers = {}) =>
    send({ ...target, record, attach: true, ...more }, SOME, headers)

  test('is appended to the files field in the same request, even with concurrent uploads', async () => {
    const record = await newRecord()
    const first = await (await attach(record)).text()
    expect((await recordOf(record)).values.files).toEqual([first])
    const query = `?${new URLSearchParams({ ...target, record, attach: 'true' }).toString()}`
    const others = await Promise.all([
      call('POST', query, {}, aForm({}, SOME)).then((answer) => answer.text()),
      attach(record).then((answer) => answer.text()),
    ])
    const { values } = await recordOf(record)
    expect(values.files[0]).toBe(first)
    expect(new Set(values.files)).toEqual(new Set([first, ...others]))
  })

  test('is not attached without the “attach” parameter', async () => {
    const record = await newRecord()
    expect((await send({ ...target, record }, SOME)).status).toBe(201)
    expect((await recordOf(record)).values.files).toEqual([])
  })

  test('is validated like any update, and leaves no file if rejected', async () => {
    const record = await newRecord()
    const filesBefore = await assetIds()
    expect(await codeOf(await attach(record, {}, { 'if-match': '"7"' }))).toEqual([409, 'version-conflict'])
    expect(await codeOf(await attach(record, {}, { 'if-match': '7' }))).toEqual([400, 'invalid-request'])
    expect(await codeOf(await attach(record, { field: 'notes' }))).toEqual([400, 'invalid-upload'])
    expect(await codeOf(await attach('0'.repeat(26)))).toEqual([404, 'record-not-found'])
    expect(await codeOf(await attach(''))).toEqual([400, 'upload-target-missing'])
    expect(await codeOf(await attach(record, {}, { 'upload-length': '1' }))).toEqual([400, 'invalid-upload'])
    expect(await assetIds()).toEqual(filesBefore)

    const one = { field: 'one' }
    expect((await attach(record, one, { 'if-match': '"1"' })).status).toBe(201)
    const kept = await assetIds()
    expect(await codeOf(await attach(record, one))).toEqual([422, 'values-invalid'])
    expect(await assetIds()).toEqual(kept)
    expect((await recordOf(record)).values.one).toHaveLength(1)
  })

  test('requires permission to update the record and the field', async () => {
    const record = await newRecord()
    const { id, fields } = (await owner.get('/api/collections/plans')).body
    const files = fields.find(({ name }: { name: string }) => name === 'files').id
    const reading = { permission: 'records:read', collection: id } as const
    const withGrants = async (grants: readonly Grant[]) => {
      const { token } = await app.asGranted(grants)
      return attach(record, {}, { authorization: `Bearer ${token}` })
    }
    expect((await withGrants([reading, { permission: 'records:create', collection: id }])).status).toBe(403)
    const allButFiles = { permission: 'records:update', collection: id, fields: { except: [files] } } as const
    expect((await withGrants([reading, allButFiles])).status).toBe(403)
    expect((await recordOf(record)).values.files).toEqual([])
    const blind = { permission: 'records:read', collection: id, fields: { except: [files] } } as const
    const writing = { permission: 'records:update', collection: id } as const
    expect((await withGrants([blind, writing])).status).toBe(403)
    expect((await recordOf(record)).values.files).toEqual([])
    const onlyFiles = { permission: 'records:update', collection: id, fields: { only: [files] } } as const
    expect((await withGrants([reading, onlyFiles])).status).toBe(201)
    expect((await recordOf(record)).values.files).toHaveLength(1)
  })
})

describe('a file sent in chunks', () => {
  test('is assembled, and ends with an empty chunk if its size is an exact multiple of the chunk size', async () => {
    const bytes = randomBytes(30_000)
    const id = await begin(bytes.length)
    for (const offset of [0, 10_000, 20_000, 30_000]) expect((await patch(id, offset, bytes, 10_000)).status).toBe(204)
    expect(await load(id)).toEqual(bytes)
  })

  test('gets its name from the first chunk', async () => {
    const id = await begin(3)
    await call('PATCH', `?patch=${id}`, chunkHeaders(0, 3, 'Überblick.txt'), 'abc')
    const { headers } = await call('GET', `?restore=${id}`)
    expect(headers.get('content-disposition')).toContain("UTF-8''%C3%9Cberblick.txt")
    expect(headers.get('x-content-transfer-id')).toBe(id)
  })

  test('is sent as one empty chunk if it has no bytes', async () => {
    const id = await begin(0)
    expect((await patch(id, 0, Buffer.alloc(0), 0)).status).toBe(204)
    const file = await call('GET', `?load=${id}`)
    expect(file.headers.get('content-disposition')).toContain('plan.bin')
    expect((await file.arrayBuffer()).byteLength).toBe(0)
  })

  test('accepts a repeated chunk without changing anything', async () => {
    const bytes = randomBytes(25_000)
    const id = await begin(bytes.length)
    for (const offset of [0, 0, 10_000, 0, 10_000, 20_000, 20_000]) {
      expect((await patch(id, offset, bytes, 10_000)).status).toBe(204)
    }
    expect(await load(id)).toEqual(bytes)
  })

  test('resumes at the start of an interrupted chunk', async () => {
    const bytes = randomBytes(25_000)
    const id = await begin(bytes.length)
    await patch(id, 0, bytes, 10_000)
    await cut(id, 10_000, 10_000, bytes.subarray(10_000, 12_345))
    const requested = await call('HEAD', `?patch=${id}`)
    expect([requested.status, requested.headers.get('upload-offset')]).toEqual([200, '10000'])
    expect((await patch(id, 10_000, bytes, 10_000)).status).toBe(204)
    expect((await patch(id, 20_000, bytes, 10_000)).status).toBe(204)
    expect(await load(id)).toEqual(bytes)
  })

  test('rejects a chunk that leaves a gap or is too long', async () => {
    const bytes = randomBytes(20)
    const id = await begin(10)
    const send = (offset: number, length: number) =>
      call('PATCH', `?patch=${id}`, chunkHeaders(offset, 10), Buffer.from(bytes.subarray(offset, offset + length)))
    expect(await codeOf(await send(5, 5))).toEqual([409, 'upload-offset-wrong'])
    expect(await codeOf(await send(0, 11))).toEqual([413, 'too-large'])
  })

  test.each([9, 11])('rejects a chunk whose Upload-Length changed from 10 to %s and stores nothing', async (length) => {
    const id = await begin(10)
    const answer = await call('PATCH', `?patch=${id}`, chunkHeaders(0, length), 'abcde')
    expect(await codeOf(answer)).toEqual([400, 'invalid-upload'])
    expect((await call('HEAD', `?patch=${id}`)).headers.get('upload-offset')).toBe('0')
  })

  test('rejects a chunk without Content-Length and stores nothing', async () => {
    const id = await begin(5)
    expect(await sendUnmeasured(id, chunkHeaders(0, 5), 'abcde')).toBe(400)
    expect((await call('HEAD', `?patch=${id}`)).headers.get('upload-offset')).toBe('0')
  })

  test("accepts FilePond's alternative request formats", async () => {
    const bytes = randomBytes(10)
    const id = await begin(10)
    expect((await call('PATCH', `?id=${id}`, chunkHeaders(0, 10), Buffer.from(bytes.subarray(0, 5)))).status).toBe(204)
    expect((await call('HEAD', `/${id}`)).headers.get('upload-offset')).toBe('5')
    expect((await call('PATCH', `/${id}`, chunkHeaders(5, 10), Buffer.from(bytes.subarray(5)))).status).toBe(204)
    expect(await load(id)).toEqual(bytes)
  })
})

describe('revert', () => {
  test('accepts the ID in the body, query or path, for unfinished and finished uploads', async () => {
    const open = await begin(10)
    const finished = await (await send(target, { bytes: Buffer.from('a'), name: 'a' })).text()
    const other = await begin(10)
    for (const revert of [
      () => call('DELETE', '', { 'content-type': 'text/plain;charset=UTF-8' }, open),
      () => call('DELETE', `?id=${finished}`),
      () => call('DELETE', `/${other}`),
      () => call('DELETE', '', {}, '../../etc/passwd'),
    ]) {
      expect((await revert()).status).toBe(204)
      expect((await revert()).status).toBe(204)
    }
    expect((await call('HEAD', `?patch=${open}`)).status).toBe(404)
    expect((await call('GET', `?load=${finished}`)).status).toBe(404)
  })

  test("doesn't affect other users' uploads or attached files", async () => {
    const id = await begin(10)
    const stranger = await app.asOwner()
    expect((await stranger.delete(`/api/uploads/${id}`)).status).toBe(204)
    expect((await call('HEAD', `?patch=${id}`)).status).toBe(200)
    const file = await (await send(target, { bytes: Buffer.from('a'), name: 'a' })).text()
    await owner.post('/api/collections/plans/records', { values: { files: [file] } })
    expect((await call('DELETE', '', {}, file)).status).toBe(403)
    expect((await call('GET', `?load=${file}`)).status).toBe(200)
    expect((await call('GET', `?restore=${file}`)).status).toBe(404)
  })
})

test('fetching from URLs is off by default', async () => {
  expect(await codeOf(await call('GET', '?fetch=http://127.0.0.1:4100/'))).toEqual([403, 'forbidden'])
})

test('only users who can update the target can upload files to it', async () => {
  const reader = await app.asViewer()
  const headers = { 'upload-length': '1', authorization: `Bearer ${reader.token}` }
  expect(await codeOf(await send(target, undefined, headers))).toEqual([403, 'forbidden'])
  expect((await fetch(`${url}/api/uploads`, { method: 'POST' })).status).toBe(401)
})
