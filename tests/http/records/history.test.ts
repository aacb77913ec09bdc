import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let made = 0
let books: { readonly id: string; readonly at: string; readonly field: Readonly<Record<string, string>> }

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
})
afterAll(() => app.close())

beforeEach(async () => {
  const { body } = await owner.post('/api/collections', {
    label: `Books ${(made += 1)}`,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Pages', kind: 'number' },
      { label: 'Genre', kind: 'select', options: { choices: [{ name: 'Novel' }, { name: 'Poems' }] } },
      { label: 'Shelf', kind: 'text', unique: true },
      { label: 'Scans', kind: 'files' },
    ],
  })
  const field = Object.fromEntries(body.fields.map((one: { name: string; id: string }) => [one.name, one.id]))
  books = { id: body.id, at: `/api/collections/${body.name}`, field }
})

async function create(values: object): Promise<string> {
  const { body, status, text } = await owner.post(`${books.at}/records`, { values })
  expect(status, text).toBe(201)
  return body.id
}

async function change(record: string, values: object, who = owner): Promise<void> {
  const { status, text } = await who.patch(`${books.at}/records/${record}`, { values })
  expect(status, text).toBe(200)
}

const history = async (record: string, who = owner, query = '') =>
  (await who.get(`${books.at}/records/${record}/history${query}`)).body.items

const restore = (record: string, entry: string, body: object = {}, who = owner) =>
  who.post(`${books.at}/records/${record}/history/${entry}/restore`, body)

const values = async (record: string) => (await owner.get(`${books.at}/records/${record}`)).body.values

async function importCsv(raw: string, query = ''): Promise<void> {
  const headers = { 'content-type': 'text/csv' }
  const begun = await owner.request('POST', `${books.at}/imports?name=books.csv${query}`, { raw, headers })
  expect(begun.status, begun.text).toBe(202)
  await expect
    .poll(async () => (await owner.get(`${books.at}/imports/${begun.body.id}`)).body.state, { interval: 20 })
    .toBe('done')
}

describe('the history of a record', () => {
  test('lists who changed what, when and how, newest first', async () => {
    const record = await create({ title: 'Emma', genre: 'Novel' })
    app.clock.move(1000)
    const scope = `records:update@${books.id}`
    const token = await owner.post('/api/tokens', { name: 'Sync', scopes: [scope, `records:read@${books.id}`] })
    await change(record, { pages: 320, genre: null }, app.withToken(token.body.token))
    const user = { id: owner.userId, name: 'owner' }
    const origin = { id: expect.any(String), user, note: null, changeSet: expect.any(String) }
    expect(await history(record)).toEqual([
      {
        ...origin,
        at: app.clock.now().toISOString(),
        kind: 'changed',
        via: 'token',
        source: 'Sync',
        changes: [
          { field: 'pages', before: null, after: 320 },
          { field: 'genre', before: 'Novel', after: null },
        ],
      },
      {
        ...origin,
        at: expect.any(String),
        kind: 'created',
        via: 'web',
        source: null,
        changes: [
          { field: 'title', before: null, after: 'Emma' },
          { field: 'genre', before: null, after: 'Novel' },
        ],
      },
    ])
  })

  test('can be filtered by field and person, and is paged', async () => {
    const editor = await app.asEditor()
    const record = await create({ title: 'Emma' })
    for (let pages = 1; pages <= 4; pages += 1) await change(record, { pages }, pages % 2 ? editor : owner)
    expect(await history(record, owner, '?field=title')).toHaveLength(1)
    expect(await history(record, owner, `?person=${editor.userId}`)).toHaveLength(2)
    const first = (await owner.get(`${books.at}/records/${record}/history?perPage=3`)).body
    const second = (await owner.get(`${books.at}/records/${record}/history?perPage=3&before=${first.next}`)).body
    expect([first.items.length, second.items.length, second.next]).toEqual([3, 2, null])
  })

  test('contains deletion and restoration, and the entries from before', async () => {
    const record = await create({ title: 'Emma' })
    const { body } = await owner.post(`${books.at}/records/bulk`, { delete: [record] })
    expect((await owner.get(`${books.at}/records/${record}/history`)).status).toBe(404)
    await owner.post(`/api/change-sets/${body.changeSet}/undo`)
    expect((await history(record)).map(({ kind }: { kind: string }) => kind)).toEqual([
      'restored',
      'deleted',
      'created',
    ])
  })

  test('contains what an import changed', async () => {
    const record = await create({ title: 'Emma', shelf: 'A1', pages: 10 })
    await importCsv('Title,Shelf,Pages\nEmma,A1,320\n', '&key=shelf')
    const [entry, created] = await history(record)
    expect([entry.kind, entry.via, entry.changes]).toEqual([
      'changed',
      'import',
      [{ field: 'pages', before: 10, after: 320 }],
    ])
    expect(created.changes).toContainEqual({ field: 'pages', before: null, after: 10 })
  })

  test('shows an imported record as created by its import', async () => {
    await importCsv('Title,Pages\nEmma,320\n')
    const [record] = (await owner.get(`${books.at}/records`)).body.items
    const [entry] = await history(record.id)
    expect([entry.kind, entry.via, entry.source, entry.changes]).toEqual([
      'created',
      'import',
      'books.csv',
      [
        { field: 'title', before: null, after: 'Emma' },
        { field: 'pages', before: null, after: 320 },
      ],
    ])
  })

  test('shows values of a field whose type has changed as text', async () => {
    const record = await create({ title: 'Emma', pages: 320 })
    await change(record, { pages: 321 })
    const change_ = await owner.patch(`${books.at}/fields/pages`, { kind: 'text', acceptLoss: true })
    expect(change_.status, change_.text).toBe(200)
    const [entry] = await history(record)
    expect(entry.changes).toEqual([{ field: 'pages', before: '320', after: '321', isText: true }])
  })
})

describe('access to the history', () => {
  const reading = (rest: Partial<Grant>): readonly Grant[] => [
    { permission: 'records:read', collection: books.id, ...rest },
  ]
  const pagesAbove = (value: number): Filter => ({ field: books.field['pages'] ?? '', op: '>', value })

  test('excludes changes of hidden fields', async () => {
    const record = await create({ title: 'Emma', pages: 320 })
    await change(record, { pages: 321 })
    const reader = await app.asGranted(reading({ fields: { except: [books.field['pages'] ?? ''] } }))
    const items = await history(record, reader)
    expect(items.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [{ field: 'title', before: null, after: 'Emma' }],
    ])
    expect(await history(record, reader, '?field=pages')).toEqual([])
  })

  test('excludes values from when the reader couldn’t read the record', async () => {
    const record = await create({ title: 'Draft', pages: 10 })
    await change(record, { title: 'Secret' })
    await change(record, { title: 'Emma', pages: 320 })
    await change(record, { title: 'Emma 2' })
    const reader = await app.asGranted(reading({ where: pagesAbove(100) }))
    const items = await history(record, reader)
    expect(items.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [{ field: 'title', before: 'Emma', after: 'Emma 2' }],
      [],
    ])
    const [, created] = items
    const answer = await restore(record, created.id, {}, reader)
    expect(answer.status).toBe(403)
  })

  test('excludes values from when the reader couldn’t read the field', async () => {
    const record = await create({ title: 'Draft', pages: 10, shelf: 'A1' })
    await change(record, { shelf: 'A2' })
    await change(record, { pages: 320 })
    await change(record, { shelf: 'A3' })
    const shelf = books.field['shelf'] ?? ''
    const reader = await app.asGranted([
      ...reading({ fields: { except: [shelf] } }),
      ...reading({ where: pagesAbove(100) }),
    ])
    const fields = (await history(record, reader)).map(({ changes }: { changes: readonly { field: string }[] }) =>
      changes.map(({ field }) => field),
    )
    expect(fields).toEqual([['shelf'], ['pages'], ['title', 'pages']])
  })

  test('excludes values from before the type of a field changed on which access depends', async () => {
    const record = await create({ title: 'Secret', shelf: 'closed' })
    await change(record, { title: 'Emma' })
    await change(record, { shelf: 'open' })
    const choices = [{ name: 'closed' }, { name: 'open' }]
    const converted = await owner.patch(`${books.at}/fields/shelf`, {
      kind: 'select',
      unique: false,
      options: { choices },
      acceptLoss: true,
    })
    expect(converted.status, converted.text).toBe(200)
    const { fields } = (await owner.get(books.at)).body
    const shelf = fields.find(({ name }: { name: string }) => name === 'shelf')
    const closed = shelf.options.choices.find(({ name }: { name: string }) => name === 'closed')
    await change(record, { title: 'Emma 2' })
    const reader = await app.asGranted(reading({ where: { field: shelf.id, op: '!=', value: closed.id } }))
    const items = await history(record, reader)
    expect(JSON.stringify(items)).not.toContain('Secret')
    expect(items[0].changes).toEqual([{ field: 'title', before: 'Emma', after: 'Emma 2' }])
  })

  test('requires access to the record', async () => {
    const record = await create({ title: 'Emma', pages: 10 })
    const stranger = await app.asGranted(reading({ where: pagesAbove(100) }))
    expect((await stranger.get(`${books.at}/records/${record}/history`)).body.code).toBe('record-not-found')
  })
})

describe('restoring from the history', () => {
  test('restores one value, or the record as it was, as a new change', async () => {
    const record = await create({ title: 'Emma', pages: 320, genre: 'Novel' })
    await change(record, { pages: 1, genre: 'Poems' })
    const [changed, created] = await history(record)
    const one = await restore(record, changed.id, { side: 'before', fields: ['genre'] })
    expect([one.status, one.body.values.genre, one.body.values.pages]).toEqual([200, 'Novel', 1])
    const all = await restore(record, created.id)
    expect([all.body.values.title, all.body.values.pages, all.body.values.genre]).toEqual(['Emma', 320, 'Novel'])
    expect((await history(record)).slice(0, 2).map(({ via }: { via: string }) => via)).toEqual(['restore', 'restore'])
  })

  test('restores removed files', async () => {
    const target = { collection: books.at.split('/').at(-1) ?? '', field: 'scans' }
    const file = await tusSender(url, owner).send(target, Buffer.from('one'), 'a.txt')
    const record = await create({ title: 'Emma', scans: [file] })
    await change(record, { scans: [] })
    const [removed] = await history(record)
    expect(removed.changes[0].before[0]).toMatchObject({ id: file, name: 'a.txt' })
    await restore(record, removed.id, { side: 'before', fields: ['scans'] })
    expect((await values(record)).scans).toEqual([file])
  })

  test('is checked like any other change', async () => {
    const record = await create({ title: 'Emma', shelf: 'A1' })
    await change(record, { shelf: 'A2' })
    await create({ title: 'Persuasion', shelf: 'A1' })
    const [changed] = await history(record)
    const answer = await restore(record, changed.id, { side: 'before', fields: ['shelf'] })
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'shelf'])
    expect((await values(record)).shelf).toBe('A2')
    const stale = await restore(record, changed.id, { side: 'before', version: 1 })
    expect([stale.status, stale.body.code]).toEqual([409, 'version-conflict'])
    const unknown = await restore(record, changed.id, { fields: ['nothing'] })
    expect([unknown.status, unknown.body.errors[0].path]).toEqual([400, 'fields'])
    expect((await restore(record, '0'.repeat(26))).status).toBe(404)
  })

  test('treats linked records that the user can’t see like deleted ones', async () => {
    const { body } = await owner.post('/api/collections', {
      label: `Notes ${made}`,
      fields: [{ label: 'Book', kind: 'relation', options: { collection: books.id } }],
    })
    const notes = `/api/collections/${body.name}/records`
    const hidden = await create({ title: 'Hidden', pages: 1 })
    const note = (await owner.post(notes, { values: { book: hidden } })).body.id
    await owner.patch(`${notes}/${note}`, { values: { book: null } })
    const [changed] = (await owner.get(`${notes}/${note}/history`)).body.items
    const where = { field: books.field['pages'] ?? '', op: '>' as const, value: 100 }
    const writer = await app.asGranted([
      { permission: 'records:read', collection: books.id, where },
      { permission: 'records:read', collection: body.id },
      { permission: 'records:update', collection: body.id },
    ])
    const answer = await writer.post(`${notes}/${note}/history/${changed.id}/restore`, {
      side: 'before',
      fields: ['book'],
    })
    expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'not-restorable'])
    expect(answer.text).not.toContain(hidden)
  })

  test('refuses an option that was deleted', async () => {
    const record = await create({ title: 'Emma', genre: 'Novel' })
    await change(record, { genre: 'Poems' })
    const choices = [{ name: 'Poems' }]
    await owner.patch(`${books.at}/fields/genre`, { options: { choices }, acceptLoss: true })
    const [changed] = await history(record)
    const answer = await restore(record, changed.id, { side: 'before', fields: ['genre'] })
    expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'not-restorable'])
  })
})

describe('the end of a history', () => {
  const DAY_MS = 24 * 60 * 60 * 1000

  test('comes when an owner erases it: former values are gone, also for undo and earlier times', async () => {
    const record = await create({ title: 'secret', pages: 1 })
    const time = app.clock.now().toISOString()
    app.clock.move(1000)
    await change(record, { title: 'public' })
    const [{ changeSet }] = await history(record)
    const editor = await app.asEditor()
    expect((await editor.post('/api/history/erase', { records: [record] })).status).toBe(403)
    expect((await owner.post('/api/history/erase', { records: [record] })).body).toEqual({ erased: 1 })
    expect(await history(record)).toEqual([])
    expect(await values(record)).toMatchObject({ title: 'public', pages: 1 })
    await change(record, { pages: 2 })
    expect((await history(record)).map(({ kind }: { kind: string }) => kind)).toEqual(['changed'])
    expect((await owner.get(`${books.at}/records?at=${time}`)).body.items).toEqual([])
    expect((await owner.post(`/api/change-sets/${changeSet}/undo`)).status).toBe(404)
    const stored = await app.database.read.selectFrom('changes').selectAll().where('record_id', '=', record).execute()
    expect(JSON.stringify(stored)).not.toContain('secret')
    const [entry] = (await owner.get('/api/audit?kind=history-erased')).body.items
    expect(entry).toMatchObject({ kind: 'history-erased' })
  })

  test('takes erased records out of the trash', async () => {
    const record = await create({ title: 'secret' })
    await owner.request('DELETE', `${books.at}/records/${record}`)
    await owner.post('/api/history/erase', { records: [record] })
    expect((await owner.get(`/api/trash?collection=${books.id}`)).body.items).toEqual([])
    expect((await owner.post('/api/trash/restore', { records: [record] })).body.restored).toBe(0)
  })

  test('comes after as many days as an owner sets, at least as many as in the trash', async () => {
    const record = await create({ title: 'old' })
    const { next } = (await owner.get(`/api/changes?after=now`)).body
    const time = app.clock.now().toISOString()
    app.clock.move(1000)
    await change(record, { title: 'middle' })
    app.clock.move(40 * DAY_MS)
    owner = await app.asOwner()
    await change(record, { title: 'new' })
    const limit = (historyDays: number | null) => owner.patch('/api/workspace/trash', { historyDays })
    expect((await limit(7)).body.errors[0].path).toBe('historyDays')
    expect((await limit(35)).body).toEqual({ days: 30, historyDays: 35 })
    // A starting server removes expired changes.
    await (await app.startAnother()).stop()
    expect((await history(record)).map(({ changes }: { changes: readonly object[] }) => changes)).toEqual([
      [{ field: 'title', before: 'middle', after: 'new' }],
    ])
    const early = await owner.get(`${books.at}/records?at=${time}`)
    expect([early.status, early.body.errors[0].path]).toEqual([400, 'at'])
    expect((await owner.get(`/api/changes?after=${next}`)).body.code).toBe('gone')
    await limit(null)
  })
})
