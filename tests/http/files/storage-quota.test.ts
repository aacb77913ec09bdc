import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let editor: Caller
let mine: TusSender
const target = { collection: 'plans', field: 'files' }

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  editor = await app.asEditor()
  mine = tusSender(url, owner)
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
})
afterAll(() => app.close())

const storage = async () => (await owner.get('/api/workspace/storage')).body
const allow = async (bytes: number | null) =>
  expect((await owner.request('PATCH', '/api/workspace/storage', { body: { quotaBytes: bytes } })).status).toBe(200)

const form = (bytes: Buffer): Promise<Response> => {
  const body = new FormData()
  body.append('filepond', JSON.stringify(target))
  body.append('filepond', new Blob([Buffer.from(bytes)]), 'a.bin')
  return fetch(`${url}/api/uploads`, { method: 'POST', headers: { authorization: `Bearer ${owner.token}` }, body })
}

const statusesOf = (answers: readonly Response[]): string =>
  answers
    .map(({ status }) => status)
    .toSorted((one, other) => one - other)
    .join(' ')

const create = (who: Caller, bytes: number) =>
  tusSender(url, who).create(target, { 'upload-length': String(bytes), 'upload-metadata': 'filename YS5iaW4=' })

test('quarantined files count toward the quota only when their total size exceeds the quota', async () => {
  await allow(1000)
  const row = { hash: 'f'.repeat(64), bytes: 1900, used_at: '2026-01-01', going_at: null, quarantine_day: 1 }
  await app.database.write(({ db }) =>
    db
      .insertInto('blobs')
      .values({ ...row, quarantined_at: '2026-01-02' })
      .execute(),
  )
  expect(await storage()).toMatchObject({ usedBytes: 0 })
  const refused = await create(owner, 200)
  expect([refused.status, (await refused.json()).code]).toEqual([413, 'workspace-full'])
  const id = await mine.begin(target, 50)
  expect((await mine.remove(id)).status).toBe(204)
  await app.database.write(({ db }) => db.deleteFrom('blobs').where('hash', '=', row.hash).execute())
  await allow(null)
})

describe('storage usage', () => {
  test('is initially zero, with no limit set', async () => {
    expect(await storage()).toEqual({ usedBytes: 0, reservedBytes: 0, quotaBytes: null })
  })

  test('includes the declared sizes of unfinished uploads, and counts shared content once', async () => {
    const bytes = randomBytes(1000)
    const id = await mine.begin(target, bytes.length)
    expect(await storage()).toMatchObject({ usedBytes: 0, reservedBytes: 1000 })
    await mine.patch(id, 0, bytes)
    expect(await storage()).toMatchObject({ usedBytes: 1000, reservedBytes: 0 })
    const same = await mine.send(target, bytes)
    expect(await storage()).toMatchObject({ usedBytes: 1000, reservedBytes: 0 })
    for (const one of [id, same]) expect((await mine.remove(one)).status).toBe(204)
    expect(await storage()).toMatchObject({ usedBytes: 0, reservedBytes: 0 })
  })
})

describe('a workspace with a quota', () => {
  test('rejects uploads that exceed it before they start, and shows managers the remaining space', async () => {
    await allow(5000)
    const first = await mine.begin(target, 3000)
    const refused = await create(owner, 2001)
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      {
        code: 'workspace-full',
        detail: expect.stringContaining(
          '“a.bin” is 0.002001 MB, but only 0.002 MB of storage is left. Delete files or raise the limit in Settings → Workspace.',
        ),
      },
    ])
    expect(await (await create(editor, 2501)).json()).toMatchObject({
      code: 'workspace-full',
      detail: 'The workspace has reached its storage limit. Ask an owner to raise it or delete files.',
    })
    expect(await storage()).toMatchObject({ reservedBytes: 3000 })
    const fits = await create(owner, 2000)
    expect(fits.status).toBe(201)
    await mine.remove(first)
    await mine.remove(fits.headers.get('location')?.split('/').at(-1) ?? '')
  })

  test('rejects a form upload that exceeds it and stores none of the data', async () => {
    await allow(5000)
    expect((await form(randomBytes(6000))).status).toBe(413)
    expect(await storage()).toMatchObject({ usedBytes: 0, reservedBytes: 0 })
    expect((await form(randomBytes(3000))).status).toBe(201)
    expect(await storage()).toMatchObject({ usedBytes: 3000 })
  })

  test('reserves the remaining space for only one of many concurrent uploads', async () => {
    const { usedBytes } = await storage()
    await allow(usedBytes + 1000)
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(owner, 600)))
    expect(statusesOf(answers)).toBe('201 413 413 413 413 413 413 413')
    expect(await storage()).toMatchObject({ reservedBytes: 600 })
  })

  test('accepts only one of two form uploads if only one fits, whether sent sequentially or concurrently', async () => {
    const { usedBytes, reservedBytes } = await storage()
    await allow(usedBytes + reservedBytes + 5000)
    const answers = await Promise.all([1, 2, 3].map(() => form(randomBytes(3000))))
    expect(statusesOf(answers)).toBe('201 413 413')
    expect(await storage()).toMatchObject({ usedBytes: usedBytes + 3000 })
  })

  test('keeps an upload open when space runs out, and completes it once there is space again', async () => {
    await allow(null)
    const bytes = randomBytes(2000)
    const id = await mine.begin(target, bytes.length)
    await allow(1)
    expect((await mine.patch(id, 0, bytes)).status).toBe(413)
    expect((await create(owner, 1)).status).toBe(413)
    await allow(null)
    expect((await mine.head(id)).headers.get('upload-offset')).toBe('2000')
    expect((await owner.get(`/api/files/${id}`)).status).toBe(200)
  })

  test("doesn't let a user block others by declaring many uploads", async () => {
    const { usedBytes, reservedBytes } = await storage()
    await allow(usedBytes + reservedBytes + 10_000)
    while ((await create(editor, 1000)).status === 201);
    expect((await create(owner, 3000)).status).toBe(201)
    expect((await form(randomBytes(300))).status).toBe(201)
    await allow(null)
  })

  test('accepts 200 unfinished uploads per user, even when more are created concurrently', async () => {
    const other = await app.asEditor()
    const answers = await Promise.all(Array.from({ length: 260 }, () => create(other, 1)))
    const created = answers.filter(({ status }) => status === 201)
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(60)
    expect(created.length).toBeLessThanOrEqual(200)
    expect((await create(owner, 1)).status).toBe(201)
  })

  test('releases the reserved space of expired uploads', async () => {
    await mine.begin(target, 700)
    const before = await storage()
    app.clock.move(25 * 60 * 60 * 1000)
    const another = await app.startAnother()
    await another.stop()
    expect(before.reservedBytes).toBeGreaterThanOrEqual(700)
    const left = await app.database.read.selectFrom('storage_usage').selectAll().executeTakeFirstOrThrow()
    expect(Number(left.reserved)).toBe(0)
  })
})

test('rejects an invalid quota by name, and audits every change to it', async () => {
  const another = await app.asOwner()
  const wrong = await another.request('PATCH', '/api/workspace/storage', { body: { quotaBytes: -1 } })
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'quotaBytes'])
  await another.request('PATCH', '/api/workspace/storage', { body: { quotaBytes: 2_000_000_000 } })
  const entries = await app.database.read
    .selectFrom('audit_log')
    .select('details')
    .where('kind', '=', 'storage-quota-changed')
    .orderBy('id', 'desc')
    .execute()
  expect(JSON.parse(entries[0]?.details ?? '{}')).toEqual({ before: 'none', after: '2000000000' })
})

test('rejects uploads with Retry-After when the disk is nearly full', async () => {
  const full = await openTestApp({ config: { diskFloorBytes: 10 ** 18 } })
  const address = await full.listen()
  const someone = await full.asOwner()
  await someone.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
  const refused = await tusSender(address, someone).create(target, { 'upload-length': '10' })
  expect([refused.status, refused.headers.get('retry-after'), (await refused.json()).code]).toEqual([
    413,
    '3600',
    'storage-full',
  ])
  await full.close()
})
