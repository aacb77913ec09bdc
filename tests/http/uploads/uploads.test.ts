import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let mine: TusSender
const target = { collection: 'plans', field: 'files' }
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  const made = await owner.post('/api/collections', {
    label: 'Plans',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Files', kind: 'files' },
      { label: 'Pictures', kind: 'files', options: { accept: ['image/*'], maxBytes: 100_000 } },
    ],
  })
  expect(made.status, made.text).toBe(201)
})
afterAll(() => app.close())

const get = (path: string, headers: Record<string, string> = {}, who = owner) =>
  fetch(url + path, { headers: { authorization: `Bearer ${who.token}`, ...headers } })

const bytesOf = async (id: string): Promise<Buffer> => Buffer.from(await (await get(`/api/files/${id}`)).arrayBuffer())

const problemOf = async (answer: Response): Promise<unknown> => [answer.status, (await answer.json()).code]

const staged = (): Promise<string[]> => readdir(join(app.config.dataFolder, 'uploads'))

describe('an upload', () => {
  test('becomes a file with the same content and ID when sent in chunks', async () => {
    const bytes = randomBytes(300_000)
    const id = await mine.begin(target, bytes.length, 'Plan ä.bin')
    const first = await mine.patch(id, 0, bytes.subarray(0, 200_000))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '200000'])
    const requested = await mine.head(id)
    expect(requested.headers.get('upload-offset')).toBe('200000')
    expect(requested.headers.get('upload-length')).toBe('300000')
    expect(requested.headers.get('cache-control')).toBe('no-store')
    expect((await mine.patch(id, 200_000, bytes.subarray(200_000))).status).toBe(204)
    expect(await bytesOf(id)).toEqual(bytes)
    expect(await staged()).not.toContain(id)
  })

  test('resumes at the byte where it was interrupted', async () => {
    const bytes = randomBytes(120_000)
    const id = await mine.begin(target, bytes.length)
    let sent = 0
    for (const length of [1, 777, 65_536, 3]) {
      const offset = Number((await mine.head(id)).headers.get('upload-offset'))
      expect(offset).toBeLessThanOrEqual(sent)
      await mine.cut(id, offset, bytes.length - offset, bytes.subarray(offset, offset + length))
      sent = Math.max(sent, offset + length)
    }
    expect((await mine.resume(id, bytes)).status).toBe(204)
    expect(await bytesOf(id)).toEqual(bytes)
  })

  test('continues after a server restart', async () => {
    const bytes = randomBytes(50_000)
    const id = await mine.begin(target, bytes.length)
    await mine.patch(id, 0, bytes.subarray(0, 20_000))
    const second = await app.startAnother()
    const rest = tusSender(await second.listen(), owner)
    expect((await rest.head(id)).headers.get('upload-offset')).toBe('20000')
    expect((await rest.patch(id, 20_000, bytes.subarray(20_000))).status).toBe(204)
    await second.stop()
    expect(await bytesOf(id)).toEqual(bytes)
  })

  test('without content immediately becomes a file', async () => {
    const id = await mine.begin(target, 0, 'empty.txt')
    expect((await mine.head(id)).headers.get('upload-offset')).toBe('0')
    expect((await bytesOf(id)).length).toBe(0)
  })

  test('can include its first bytes in the creation request', async () => {
    const headers = { 'upload-length': '5', 'content-type': 'application/offset+octet-stream' }
    const answer = await fetch(`${url}/api/tus?${new URLSearchParams(target).toString()}`, {
      method: 'POST',
      headers: { ...headers, 'tus-resumable': '1.0.0', authorization: `Bearer ${owner.token}` },
      body: 'hello',
    })
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '5'])
    const id = answer.headers.get('location')?.split('/').at(-1) ?? ''
    expect((await bytesOf(id)).toString()).toBe('hello')
  })

  test('is stored once if sent twice concurrently', async () => {
    const bytes = randomBytes(40_000)
    const id = await mine.begin(target, bytes.length)
    const statuses = (await Promise.all([mine.patch(id, 0, bytes), mine.patch(id, 0, bytes)])).map(
      ({ status }) => status,
    )
    expect(new Set(statuses)).toEqual(new Set([204, 409]))
    expect(await bytesOf(id)).toEqual(bytes)
  })

  test('leaves no data when canceled, finished or not', async () => {
    const open = await mine.begin(target, 10)
    await mine.patch(open, 0, Buffer.from('12345'))
    const finished = await mine.send(target, Buffer.from('whole'))
    for (const id of [open, finished]) {
      expect((await mine.remove(id)).status).toBe(204)
      expect((await mine.head(id)).status).toBe(404)
      expect((await get(`/api/files/${id}`)).status).toBe(404)
      expect((await mine.remove(id)).status).toBe(404)
      expect(await staged()).not.toContain(id)
    }
  })

  test('is deleted after a day if unfinished or unattached, and its content is quarantined', async () => {
    const open = await mine.begin(target, 10)
    await mine.patch(open, 0, Buffer.from('12345'))
    const finished = await mine.send(target, Buffer.from('nobody wants this'))
    const kept = await mine.send(target, Buffer.from('somebody wants this'))
    const attached = await owner.post('/api/collections/plans/records', { values: { files: [kept] } })
    expect(attached.status, attached.text).toBe(201)
    const before = await app.storedHashes()

    app.clock.move(24 * 60 * 60 * 1000)
    await (await app.startAnother()).stop()
    const rows = await app.database.read.selectFrom('assets').select('id').execute()
    expect(rows.map(({ id }) => id)).toContain(kept)
    expect(rows.map(({ id }) => id)).not.toContain(finished)
    expect(await staged()).toEqual([])
    expect(await app.storedHashes()).toEqual(before)
    const quarantined = await app.database.read
      .selectFrom('blobs')
      .select('hash')
      .where('quarantined_at', 'is not', null)
      .execute()
    expect(quarantined.map(({ hash }) => hash)).toContain(sha256('nobody wants this'))
    expect(quarantined.map(({ hash }) => hash)).not.toContain(sha256('somebody wants this'))
    owner = await app.asOwner()
    mine = tusSender(url, owner)
    expect((await bytesOf(kept)).toString()).toBe('somebody wants this')
  })

  test('becomes a file at the next start if the server was killed after the last byte', async () => {
    const bytes = randomBytes(1000)
    const id = await mine.begin(target, bytes.length)
    await mine.patch(id, 0, bytes.subarray(0, 999))
    const stagedBytes = join(app.config.dataFolder, 'uploads', id)
    const { copyFile, appendFile, rename } = await import('node:fs/promises')
    await copyFile(stagedBytes, `${stagedBytes}-copy`)
    await mine.patch(id, 999, bytes.subarray(999))
    // Simulates a crash after publishing the blob but before inserting its row: all bytes are received, but there is no
    // file yet.
    await appendFile(`${stagedBytes}-copy`, bytes.subarray(999))
    await rename(`${stagedBytes}-copy`, stagedBytes)
    await app.database.write(async ({ db }) => {
      await db.deleteFrom('assets').where('id', '=', id).execute()
      await db.updateTable('uploads').set({ state: 'open' }).where('id', '=', id).execute()
    })
    expect((await get(`/api/files/${id}`)).status).toBe(404)
    await (await app.startAnother()).stop()
    expect(await bytesOf(id)).toEqual(bytes)
  })
})

describe('a chunk', () => {
  test('is rejected without changes at a wrong offset', async () => {
    const id = await mine.begin(target, 10)
    await mine.patch(id, 0, Buffer.from('01234'))
    for (const offset of [0, 4, 6]) {
      expect(await problemOf(await mine.patch(id, offset, Buffer.from('xx')))).toEqual([409, 'upload-offset-wrong'])
    }
    expect((await mine.head(id)).headers.get('upload-offset')).toBe('5')
    await mine.patch(id, 5, Buffer.from('56789'))
    expect((await bytesOf(id)).toString()).toBe('0123456789')
  })

  test('is rejected if it exceeds the declared upload size', async () => {
    const id = await mine.begin(target, 3)
    expect(await problemOf(await mine.patch(id, 0, Buffer.from('0123')))).toEqual([413, 'too-large'])
    expect((await mine.patch(id, 0, Buffer.from('012'))).status).toBe(204)
  })

  test('is rejected if Upload-Length differs from its value at creation', async () => {
    const id = await mine.begin(target, 3)
    const headers = {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'upload-length': '2',
      authorization: `Bearer ${owner.token}`,
    }
    const answer = await fetch(`${url}/api/tus/${id}`, { method: 'PATCH', headers, body: 'ab' })
    expect(await problemOf(answer)).toEqual([400, 'invalid-upload'])
    expect((await mine.head(id)).headers.get('upload-offset')).toBe('0')
  })

  test('is rejected if the content type is wrong', async () => {
    const id = await mine.begin(target, 3)
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', authorization: `Bearer ${owner.token}` }
    const answer = await fetch(`${url}/api/tus/${id}`, { method: 'PATCH', headers, body: 'abc' })
    expect(await problemOf(answer)).toEqual([415, 'wrong-content-type'])
  })
})

describe('when an upload is created', () => {
  test('the target is required', async () => {
    expect(await problemOf(await mine.create({}, { 'upload-length': '1' }))).toEqual([400, 'upload-target-missing'])
    const half = await mine.create({ collection: 'plans' }, { 'upload-length': '1' })
    expect(await problemOf(half)).toEqual([400, 'upload-target-missing'])
    const said = Object.entries(target).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    expect((await mine.create({}, { 'upload-length': '1', 'upload-metadata': said.join(',') })).status).toBe(201)
  })

  test('the target must be an existing files field', async () => {
    for (const field of ['title', 'nothing']) {
      const answer = await mine.create({ ...target, field }, { 'upload-length': '1' })
      expect(await problemOf(answer)).toEqual([400, 'invalid-upload'])
    }
    const elsewhere = await mine.create({ ...target, collection: 'nowhere' }, { 'upload-length': '1' })
    expect(await problemOf(elsewhere)).toEqual([404, 'collection-not-found'])
    const nobody = await mine.create({ ...target, record: '0'.repeat(26) }, { 'upload-length': '1' })
    expect(await problemOf(nobody)).toEqual([404, 'record-not-found'])
  })

  test('a declared size or type that is not allowed is rejected', async () => {
    const pictures = { collection: 'plans', field: 'pictures' }
    const large = await mine.create(pictures, { 'upload-length': '100001' })
    expect(await problemOf(large)).toEqual([413, 'too-large'])
    const pdf = {
      'upload-length': '1',
      'upload-metadata': `filetype ${Buffer.from('application/pdf').toString('base64')}`,
    }
    expect(await problemOf(await mine.create(pictures, pdf))).toEqual([422, 'file-type-refused'])
  })

  test('the upload length and tus version are required', async () => {
    expect(await problemOf(await mine.create(target, {}))).toEqual([400, 'invalid-upload'])
    expect(await problemOf(await mine.create(target, { 'upload-length': '-1' }))).toEqual([400, 'invalid-upload'])
    expect(await problemOf(await mine.create(target, { 'upload-defer-length': '1' }))).toEqual([400, 'invalid-upload'])
    const old = await mine.create(target, { 'upload-length': '1', 'tus-resumable': '0.2.2' })
    expect(old.headers.get('tus-version')).toBe('1.0.0')
    expect(await problemOf(old)).toEqual([412, 'upload-version-unknown'])
  })

  test('guests and read-only users are rejected', async () => {
    expect((await tusSender(url, app.guest).create(target, { 'upload-length': '1' })).status).toBe(401)
    const reader = tusSender(url, await app.asViewer())
    expect(await problemOf(await reader.create(target, { 'upload-length': '1' }))).toEqual([403, 'forbidden'])
  })

  test('OPTIONS returns the supported extensions', async () => {
    const { status, headers } = await fetch(`${url}/api/tus`, { method: 'OPTIONS' })
    expect([status, headers.get('tus-version')]).toEqual([204, '1.0.0'])
    expect(headers.get('tus-extension')).toContain('creation-with-upload')
  })
})

describe('the detected content type', () => {
  test('takes precedence over the file name and the type sent by the client', async () => {
    const pictures = { collection: 'plans', field: 'pictures' }
    const bytes = Buffer.from('%PDF-1.7 this is no picture')
    const id = await mine.begin(pictures, bytes.length, 'holiday.png', 'image/png')
    expect(await problemOf(await mine.patch(id, 0, bytes))).toEqual([422, 'file-type-refused'])
    expect((await mine.head(id)).status).toBe(410)
    expect(await problemOf(await mine.patch(id, 0, bytes))).toEqual([410, 'gone'])
    expect((await get(`/api/files/${id}`)).status).toBe(404)
    expect(await staged()).not.toContain(id)
  })
})

describe('another user', () => {
  test("can't read, continue, cancel or attach an upload", async () => {
    const stranger = await app.asOwner()
    const theirs = tusSender(url, stranger)
    const id = await mine.begin(target, 10)
    expect((await theirs.head(id)).status).toBe(404)
    expect((await theirs.patch(id, 0, Buffer.from('0123456789'))).status).toBe(404)
    expect((await theirs.remove(id)).status).toBe(404)

    const finished = await mine.send(target, Buffer.from('mine'))
    expect((await get(`/api/files/${finished}`, {}, stranger)).status).toBe(404)
    const attached = await stranger.post('/api/collections/plans/records', { values: { files: [finished] } })
    expect([attached.status, attached.body.code]).toEqual([422, 'values-invalid'])
    expect((await get(`/api/files/${finished}`)).status).toBe(200)
  })
})

describe('attaching files to a record', () => {
  test('files are attached in order, and can be detached and attached again', async () => {
    const [a, b] = [await mine.send(target, Buffer.from('a')), await mine.send(target, Buffer.from('b'))]
    const made = await owner.post('/api/collections/plans/records', { values: { files: [b, a] } })
    expect(made.body.values.files).toEqual([b, a])
    const stranger = await app.asViewer()
    expect((await get(`/api/files/${a}`, {}, stranger)).status).toBe(200)
    expect((await mine.remove(a)).status).toBe(403)

    const path = `/api/collections/plans/records/${made.body.id}`
    expect((await owner.patch(path, { values: { files: [b] } })).body.values.files).toEqual([b])
    expect((await get(`/api/files/${a}`, {}, stranger)).status).toBe(404)
    expect((await get(`/api/files/${a}`)).status).toBe(200)
    expect((await owner.patch(path, { values: { files: [a, b] } })).body.values.files).toEqual([a, b])
    const other = await owner.post('/api/collections/plans/records', { values: { files: [a] } })
    expect([other.status, other.body.code]).toEqual([422, 'values-invalid'])
  })

  test('a detached file can be attached to its record again by any writer, even if it is no longer accepted', async () => {
    const id = await mine.send(target, Buffer.from('a'), 'a.txt', 'text/plain')
    const made = await owner.post('/api/collections/plans/records', { values: { files: [id] } })
    const colleague = await app.asEditor()
    const path = `/api/collections/plans/records/${made.body.id}`
    expect((await colleague.patch(path, { values: { files: [] } })).status).toBe(200)
    const elsewhere = await colleague.post('/api/collections/plans/records', { values: { files: [id] } })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'values-invalid'])
    const fields = (await owner.get('/api/collections/plans')).body.fields
    const { id: field } = fields.find(({ name }: { name: string }) => name === 'files')
    const rule = (options: object) => owner.patch(`/api/collections/plans/fields/${field}`, { options })
    expect((await rule({ accept: ['image/*'] })).status).toBe(200)
    expect((await colleague.patch(path, { values: { files: [id] } })).body.values.files).toEqual([id])
    expect((await rule({})).status).toBe(200)
  })

  test('a file uploaded to another field is rejected', async () => {
    const id = await mine.send(target, Buffer.from('a'))
    const made = await owner.post('/api/collections/plans/records', { values: { pictures: [id] } })
    expect([made.status, made.body.code]).toEqual([422, 'values-invalid'])
  })
})
