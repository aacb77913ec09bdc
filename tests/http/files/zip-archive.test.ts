import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { readZip } from '#tests/support/files/read-zip.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let mine: TusSender
const list = '/api/collections/plans/files.zip'

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
      { label: 'Secrets', kind: 'files' },
    ],
    titleField: 'title',
  })
  expect(made.status, made.text).toBe(201)
})
afterAll(() => app.close())

/** Creates a record with files that have the given names; each file contains its own name. */
async function aRecord(title: string, files: readonly string[], secrets: readonly string[] = []): Promise<string> {
  const send = (field: string, names: readonly string[]): Promise<string[]> =>
    Promise.all(names.map((name) => mine.send({ collection: 'plans', field }, Buffer.from(`in ${name}`), name)))
  const values = { title, files: await send('files', files), secrets: await send('secrets', secrets) }
  const { body, status, text } = await owner.post('/api/collections/plans/records', { values })
  expect(status, text).toBe(201)
  return body.id
}

async function fetched(path: string, who = owner, body?: unknown) {
  const answer = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

async function unzipped(path: string, who = owner, body?: unknown): Promise<Record<string, string>> {
  const { answer, bytes } = await fetched(path, who, body)
  expect(answer.status, bytes.toString()).toBe(200)
  return Object.fromEntries(readZip(bytes).map((file) => [file.path, file.bytes.toString()]))
}

const statusOf = async (path: string, who = owner): Promise<number> => (await fetched(path, who)).answer.status

test("archives a record's files by name and in order, numbering duplicate names", async () => {
  const id = await aRecord('Größe: 100%', ['a.txt', 'b.txt', 'a.txt'], ['A.TXT'])
  const { answer, bytes } = await fetched(`/api/collections/plans/records/${id}/files.zip`)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(answer.headers.get('content-disposition')).toMatch(/filename\*=UTF-8''Gr%C3%B6%C3%9Fe_%20100%25\.zip/i)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(readZip(bytes).map((file) => [file.path, file.bytes.toString()])).toEqual([
    ['a.txt', 'in a.txt'],
    ['b.txt', 'in b.txt'],
    ['a (2).txt', 'in a.txt'],
    ['A (3).TXT', 'in A.TXT'],
  ])
  const one = await unzipped(`/api/collections/plans/records/${id}/files.zip?field=secrets`)
  expect(one).toEqual({ 'A.TXT': 'in A.TXT' })
})

test('returns an error for a record without files, a missing record or a missing field', async () => {
  const empty = await aRecord('Nothing', [])
  expect(await statusOf(`/api/collections/plans/records/${empty}/files.zip`)).toBe(404)
  expect(await statusOf(`/api/collections/plans/records/01hzzzzzzz0123456789abcdef/files.zip`)).toBe(404)
  expect(await statusOf(`/api/collections/plans/records/${empty}/files.zip?field=title`)).toBe(404)
  expect(await statusOf(`/api/collections/plans/records/${empty}/files.zip?field=nope`)).toBe(400)
})

describe('an archive of multiple records', () => {
  let [first, second]: string[] = []
  beforeAll(async () => {
    first = await aRecord('Bridge', ['plan.txt', 'photo.txt'])
    second = await aRecord('Bridge', ['plan.txt'])
    await aRecord('../House', ['x.txt'])
    await aRecord('Bridge without files', [])
  })

  test('has a folder per record, named by its title', async () => {
    const query = new URLSearchParams({ filter: 'title ^= "Bridge"' })
    expect(await unzipped(`${list}?${query.toString()}`)).toEqual({
      'Bridge/plan.txt': 'in plan.txt',
      'Bridge/photo.txt': 'in photo.txt',
      'Bridge (2)/plan.txt': 'in plan.txt',
    })
    expect(await unzipped(`${list}?search=House`)).toEqual({ '_House/x.txt': 'in x.txt' })
  })

  test('can be limited to selected records', async () => {
    const filter = 'title ^= "Bridge"'
    expect(await unzipped(list, owner, { filter, except: [first] })).toEqual({ 'Bridge/plan.txt': 'in plan.txt' })
    expect(await unzipped(list, owner, { only: [second] })).toEqual({ 'Bridge/plan.txt': 'in plan.txt' })
  })

  test('is audited as an export', async () => {
    await fetched(list, owner, { only: [second] })
    const kinds = await app.database.read.selectFrom('audit_log').select('kind').execute()
    expect(kinds.map(({ kind }) => kind)).toContain('records-exported')
  })
})

describe("a user who can't read a file", () => {
  test('cannot download it through a hidden field or a hidden record', async () => {
    const seen = await aRecord('Open', ['seen.txt'], ['hidden.txt'])
    const unseen = await aRecord('Closed', ['unseen.txt'])
    const { body: plans } = await owner.get('/api/collections/plans')
    const idOf = (name: string) => plans.fields.find((field: { name: string }) => field.name === name).id
    const bounds = {
      collection: plans.id,
      where: { field: idOf('title'), op: '=' as const, value: 'Open' },
      fields: { except: [idOf('secrets')] },
    }
    const someone = await app.asGranted([
      { permission: 'records:read', ...bounds },
      { permission: 'records:export', ...bounds },
    ])
    expect(await unzipped(list, someone)).toEqual({ 'Open/seen.txt': 'in seen.txt' })
    expect(await unzipped(`/api/collections/plans/records/${seen}/files.zip`, someone)).toEqual({
      'seen.txt': 'in seen.txt',
    })
    expect(await statusOf(`/api/collections/plans/records/${unseen}/files.zip`, someone)).toBe(404)
    expect(await statusOf(`/api/collections/plans/records/${seen}/files.zip?field=secrets`, someone)).toBe(400)
  })

  test("downloading a list's files requires the export permission, and guests are rejected", async () => {
    const id = await aRecord('Mine', ['a.txt'])
    const reader = await app.asGranted([{ permission: 'records:read', collection: null }])
    expect(await statusOf(list, reader)).toBe(403)
    expect(await statusOf(`/api/collections/plans/records/${id}/files.zip`, reader)).toBe(200)
    expect(await statusOf(list, app.guest)).toBe(401)
  })
})

test('does not extract archives contained in an archive', async () => {
  const id = await aRecord('Inner', ['inner.txt'])
  const path = `/api/collections/plans/records/${id}/files.zip`
  const { bytes: inner } = await fetched(path)
  const file = await mine.send({ collection: 'plans', field: 'files' }, inner, 'inner.zip')
  const { body } = await owner.post('/api/collections/plans/records', { values: { title: 'Outer', files: [file] } })
  const { bytes: outer } = await fetched(`/api/collections/plans/records/${body.id}/files.zip`)
  expect(readZip(outer).map((entry) => [entry.path, entry.bytes.equals(inner)])).toEqual([['inner.zip', true]])
  const shown = await owner.get(`/api/collections/plans/records/${body.id}?expand=files`)
  expect(shown.body.values.files[0]).toMatchObject({ type: 'application/zip', width: null, thumbUrl: null })
})

test('rejects more than ten thousand files before sending data', async () => {
  const like = await mine.send({ collection: 'plans', field: 'files' }, Buffer.from('x'), 'x.txt')
  const newId = createIdGenerator(Date.now, randomBytes)
  const ids = Array.from({ length: 10_000 }, newId)
  await app.database.write(async ({ db }) => {
    const row = await db.selectFrom('assets').selectAll().where('id', '=', like).executeTakeFirstOrThrow()
    for (let from = 0; from < ids.length; from += 500) {
      const rows = ids.slice(from, from + 500).map((id) => ({ ...row, id }))
      await db.insertInto('assets').values(rows).execute()
    }
  })
  for (let from = 0; from < ids.length; from += 1000) {
    const values = { title: 'Many', files: ids.slice(from, from + 1000) }
    const { status, text } = await owner.post('/api/collections/plans/records', { values })
    expect(status, text).toBe(201)
  }
  await owner.post('/api/collections/plans/records', { values: { title: 'Many', files: [like] } })
  const refused = await fetched(`${list}?${new URLSearchParams({ filter: 'title = "Many"' }).toString()}`)
  expect(refused.answer.status).toBe(413)
  expect(JSON.parse(refused.bytes.toString()).detail).toBe(
    'An archive can contain at most 10,000 files. Select fewer records.',
  )
})

/** The archive of a record with one file of `size` bytes. */
async function aLargeArchive(size: number) {
  const bytes = randomBytes(size)
  const file = await mine.send({ collection: 'plans', field: 'files' }, bytes, 'large.bin')
  const { body } = await owner.post('/api/collections/plans/records', { values: { title: 'Large', files: [file] } })
  return { bytes, path: `/api/collections/plans/records/${body.id}/files.zip` }
}

test('disconnected clients release their download slots', async () => {
  const { bytes, path } = await aLargeArchive(5_000_000)
  const hangUp = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const asking = request(url + path, { headers: { authorization: `Bearer ${owner.token}` } }, (answer) => {
        answer.once('data', () => answer.destroy())
        answer.once('close', resolve)
        answer.on('error', () => undefined)
      })
      asking.on('error', reject).end()
    })
  for (let round = 0; round < 8; round += 1) await hangUp()
  const { bytes: archive } = await fetched(path)
  expect(readZip(archive)[0]?.bytes.equals(bytes)).toBe(true)
})

test('slow clients do not block others', async () => {
  const { path } = await aLargeArchive(20_000_000)
  const small = `/api/collections/plans/records/${await aRecord('Small', ['small.txt'])}/files.zip`
  const begin = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${owner.token}` }
      request(url + path, { headers }, (answer) => resolve(answer.pause()))
        .on('error', reject)
        .end()
    })
  const slow = await Promise.all(Array.from({ length: 4 }, begin))
  const headers = { authorization: `Bearer ${owner.token}` }
  const other = fetch(url + small, { headers, signal: AbortSignal.timeout(5000) })
  const read = other.then(async (answer) => readZip(Buffer.from(await answer.arrayBuffer())))
  await read.finally(() => slow.forEach((answer) => answer.destroy()))
  expect((await read)[0]?.bytes.toString()).toBe('in small.txt')
})
