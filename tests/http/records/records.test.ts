import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_REPORTED } from '#domain/shared/problem.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let tasks: { id: string; name: string; fields: readonly { id: string; name: string }[] }
let people: { id: string; name: string }

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  people = (await owner.post('/api/collections', { label: 'People', fields: [{ label: 'Name', kind: 'text' }] })).body
  const made = await owner.post('/api/collections', {
    label: 'Tasks',
    fields: [
      { label: 'Title', kind: 'text', required: true, options: { max: 40 } },
      { label: 'Notes', kind: 'rich-text' },
      { label: 'Hours', kind: 'number', options: { min: 0, decimals: 2 } },
      { label: 'Done', kind: 'checkbox' },
      { label: 'Due', kind: 'date' },
      { label: 'Started', kind: 'date-time' },
      {
        label: 'Status',
        kind: 'select',
        default: 'open',
        options: { choices: [{ name: 'open' }, { name: 'closed' }] },
      },
      { label: 'Owner', kind: 'relation', options: { collection: 'people' } },
      { label: 'Helpers', kind: 'relation', options: { collection: 'people', many: true } },
    ],
  })
  expect(made.status, made.text).toBe(201)
  tasks = made.body
})
afterAll(() => app.close())

const path = () => `/api/collections/${tasks.name}/records`
const make = async (values: object, where = path()) => {
  const answer = await owner.post(where, { values })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const person = async (name: string) => make({ name }, `/api/collections/${people.name}/records`)

describe('a new record', () => {
  test('returns the given values, for every field type', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')]
    const notes = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', marks: [{ type: 'bold' }], text: 'Hi' }] },
      ],
    }
    const values = {
      title: 'Write it 😀 — "quoted" % _ \\',
      notes,
      hours: 1.25,
      done: true,
      due: '2026-02-28',
      started: '2026-02-28T12:30:00.000Z',
      status: 'closed',
      owner: ada.id,
      helpers: [bob.id, ada.id],
    }
    const made = await make(values)
    expect(made).toMatchObject({ version: 1, createdBy: owner.userId, values })
    const read = await owner.get(`${path()}/${made.id}`)
    expect(read.body).toEqual(made)
  })

  test('is initialized with default and empty values', async () => {
    const { values } = await make({ title: 'Bare' })
    expect(values).toEqual({
      title: 'Bare',
      notes: null,
      hours: null,
      done: false,
      due: null,
      started: null,
      status: 'open',
      owner: null,
      helpers: [],
    })
  })

  test('is created only once, regardless of retries with the same idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const send = () => owner.post(path(), { values: { title: 'Sent twice' } }, key)
    const [first, second] = await Promise.all([send(), send()])
    const third = await send()
    expect([second.body.id, third.body.id]).toEqual([first.body.id, first.body.id])
    const { body } = await owner.get(`${path()}?filter=${encodeURIComponent('title = "Sent twice"')}`)
    expect(body.items).toHaveLength(1)
  })

  test('is returned to a repeated request as it was created, if the user can no longer read it or it was deleted', async () => {
    const title = tasks.fields.find(({ name }) => name === 'title')?.id ?? ''
    const own = { field: title, op: '!=', value: 'Taken over' } as const
    const clerk = await app.asGranted([
      { permission: 'records:create', collection: tasks.id },
      { permission: 'records:read', collection: tasks.id, where: own },
    ])
    const key = { 'idempotency-key': randomUUID() }
    const send = () => clerk.post(path(), { values: { title: 'Mine', hours: 1 } }, key)
    const first = await send()
    const { id } = first.body
    await owner.patch(`${path()}/${id}`, { values: { hours: 2 } })
    expect((await send()).body).toMatchObject({ id, version: 2, values: { title: 'Mine', hours: 2 } })
    await owner.patch(`${path()}/${id}`, { values: { title: 'Taken over', hours: 3 } })
    expect((await send()).body).toEqual(first.body)
    await owner.delete(`${path()}/${id}`)
    expect((await send()).body).toEqual(first.body)
  })

  test('can be created in two collections with the same idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const person = await owner.post(`/api/collections/${people.name}/records`, { values: { name: 'Ada' } }, key)
    const task = await owner.post(path(), { values: { title: 'Ask Ada' } }, key)
    expect(task.body.id).not.toBe(person.body.id)
    expect(task.body.values.title).toBe('Ask Ada')
  })

  test('can be created by two users with the same idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const other = await app.asOwner()
    const [mine, theirs] = await Promise.all(
      [owner, other].map((caller) => caller.post(path(), { values: { title: 'Same key' } }, key)),
    )
    expect(mine?.body.id).not.toBe(theirs?.body.id)
  })

  test('is rejected with all validation errors', async () => {
    const answer = await owner.post(path(), {
      values: { hours: -1, due: '2026-02-30', status: 'nope', stranger: 1, owner: 'x', helpers: ['y'] },
    })
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('values-invalid')
    expect(answer.body.errors.map((error: { path: string; code: string }) => [error.path, error.code])).toEqual([
      ['hours', 'too-small'],
      ['due', 'not-date'],
      ['status', 'not-choice'],
      ['stranger', 'unknown-field'],
      ['owner', 'not-record'],
      ['helpers', 'not-record'],
      ['title', 'required'],
    ])
  })

  test('rejects field values outside “values” and explains where they belong', async () => {
    const answer = await owner.post(path(), { title: 'Bare' })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { path: 'title', code: 'unknown-key', message: 'Unknown parameter “title”. Field values belong in “values”.' },
    ])
  })

  test('reports only a hundred of ten thousand unknown fields', async () => {
    const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, nth) => [`field${nth}`, 1]))
    const { status, body } = await owner.post(path(), { values })
    expect([status, body.errors.length]).toEqual([422, MAX_REPORTED])
    expect(body.detail).toBe('Nothing was saved. field0: There is no field “field0”. 99 more below.')
  })

  test('rejects links to missing records', async () => {
    const answer = await owner.post(path(), { values: { title: 'T', owner: '00000000000000000000000000' } })
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'owner', code: 'unknown-record' })])
  })

  test('rejects numbers with too many digits', async () => {
    const answer = await owner.post(path(), { values: { title: 'T', hours: 1.234567890123456 } })
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'hours', code: 'too-precise' })])
  })

  test('never stores unsafe content in a document', async () => {
    const link = (href: string) => ({
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href, onclick: 'evil()' } }] }],
        },
      ],
    })
    expect((await owner.post(path(), { values: { title: 'T', notes: link('javascript:alert(1)') } })).status).toBe(422)
    const made = await make({ title: 'T', notes: link('https://example.org') })
    expect(JSON.stringify(made)).not.toContain('onclick')
  })
})

describe('updating a record', () => {
  test('changes only the given values and increments the version', async () => {
    const made = await make({ title: 'Before', hours: 2 })
    const changed = await owner.patch(`${path()}/${made.id}`, { values: { hours: 3 }, version: 1 })
    expect(changed.body).toMatchObject({ version: 2, values: { title: 'Before', hours: 3 } })
  })

  test('with a stale version returns 409 with the current record', async () => {
    const made = await make({ title: 'Mine' })
    await owner.patch(`${path()}/${made.id}`, { values: { title: 'Theirs' } })
    const stale = await owner.patch(`${path()}/${made.id}`, { values: { title: 'Mine too' } }, { 'if-match': '"1"' })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'version-conflict', current: { version: 2, values: { title: 'Theirs' } } })
  })

  test('writes nothing if no value changes', async () => {
    const made = await make({ title: 'Same', helpers: [] })
    const again = await owner.patch(`${path()}/${made.id}`, { values: { title: 'Same', helpers: [], owner: null } })
    expect(again.body.version).toBe(1)
  })

  test('succeeds exactly once for concurrent updates with the same version', async () => {
    const made = await make({ title: 'Race' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        owner.patch(`${path()}/${made.id}`, { values: { hours: at + 1 }, version: 1 }),
      ),
    )
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409, 409, 409,
    ])
  })

  test('cannot clear required fields', async () => {
    const made = await make({ title: 'Full' })
    const answer = await owner.patch(`${path()}/${made.id}`, { values: { title: '' } })
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'title', code: 'required' })])
  })
})

describe('deleting a record', () => {
  test('removes relations to it', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')]
    const made = await make({ title: 'Points', owner: ada.id, helpers: [ada.id, bob.id] })
    expect((await owner.delete(`/api/collections/people/records/${ada.id}`)).status).toBe(204)
    const read = await owner.get(`${path()}/${made.id}`)
    expect(read.body.values).toMatchObject({ owner: null, helpers: [bob.id] })
    expect((await owner.get(`/api/collections/people/records/${ada.id}`)).status).toBe(404)
  })
})

describe('a list of records', () => {
  test('lists records sorted, counted, paged, filtered, searched and expanded', async () => {
    const { body: made } = await owner.post('/api/collections', {
      label: 'List',
      fields: [
        { label: 'Title', kind: 'text' },
        { label: 'Size', kind: 'number' },
        { label: 'Who', kind: 'relation', options: { collection: 'people' } },
      ],
    })
    const zoe = await person('Zoë')
    const where = `/api/collections/${made.name}/records`
    const values = Array.from({ length: 25 }, (_, at) => ({
      title: `Item ${at}`,
      size: at % 5,
      who: at === 7 ? zoe.id : null,
    }))
    const bulk = await owner.post(`${where}/bulk`, { create: values.map((each) => ({ values: each })) })
    expect(bulk.body.created).toHaveLength(25)

    const titles = async (query: string) => {
      const answer = await owner.get(`${where}?${query}`)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.items.map((item: { values: { title: string } }) => item.values.title)
    }
    const first = await owner.get(where)
    expect(first.body).toMatchObject({ page: 1, perPage: 10, total: 25, totalIs: 'exact' })
    expect(await titles('perPage=3&page=2')).toEqual(['Item 3', 'Item 4', 'Item 5'])
    expect(await titles('perPage=3&sort=-size,title')).toEqual(['Item 14', 'Item 19', 'Item 24'])
    expect(await titles(`filter=${encodeURIComponent('size = 4 && title ~ "item 2"')}`)).toEqual(['Item 24'])
    expect(await titles('search=zoe')).toEqual(['Item 7'])
    expect(await titles(`filter=${encodeURIComponent('who.name = "Zoë"')}`)).toEqual(['Item 7'])

    const followed = await owner.get(`${where}?cursor=${encodeURIComponent(first.body.nextCursor)}&perPage=2`)
    expect(followed.body.items.map((item: { values: { title: string } }) => item.values.title)).toEqual([
      'Item 10',
      'Item 11',
    ])
    const expanded = await owner.get(`${where}?expand=who&search=zoe`)
    expect(expanded.body.items[0].values.who).toEqual({ id: zoe.id, title: 'Zoë' })

    const groups = await owner.get(
      `/api/collections/${made.name}/groups?by=size&aggregates=${encodeURIComponent('count,sum(size)')}`,
    )
    expect(groups.body.groups[2]).toEqual({
      key: { size: 2 },
      label: '2',
      count: 5,
      aggregates: { count: 5, 'sum(size)': 10 },
      offset: 10,
    })
    const grouped = `/api/collections/${made.name}/groups?by=size&aggregates=${encodeURIComponent('count,avg(size)')}`
    const [largest] = (await owner.get(`${grouped}&order=${encodeURIComponent('-avg(size)')}`)).body.groups
    const all = (await owner.get(grouped)).body.groups
    expect(largest).toEqual(all.at(-1))
    const refused = await owner.get(`${grouped}&order=${encodeURIComponent('-sum(size)')}`)
    expect(refused.body).toMatchObject({ status: 400, code: 'invalid-group', errors: [{ path: 'order' }] })
  })

  test('rejects unknown parameters by name', async () => {
    const wrong = await owner.get(`${path()}?filter=${encodeURIComponent('tilte = "x"')}`)
    expect(wrong.body).toMatchObject({ code: 'invalid-filter', status: 400 })
    expect(wrong.body.detail).toContain('title')
    expect((await owner.get(`${path()}?limit=5`)).body).toMatchObject({ status: 400, errors: [{ path: 'limit' }] })
    expect((await owner.get(`${path()}?perPage=all`)).status).toBe(400)
    expect((await owner.get(`${path()}?perPage=501`)).status).toBe(400)
    expect((await owner.get('/api/collections/nowhere/records')).body.code).toBe('collection-not-found')
  })
})

describe('a bulk request', () => {
  test('is atomic', async () => {
    const before = (await owner.get(`${path()}?count=exact`)).body.total
    const answer = await owner.post(`${path()}/bulk`, { create: [{ values: { title: 'One' } }, { values: {} }] })
    expect(answer.status).toBe(422)
    expect((await owner.get(`${path()}?count=exact`)).body.total).toBe(before)
  })
})

describe('every write', () => {
  test('is recorded in the change log with author, action, previous and new values', async () => {
    const made = await make({ title: 'Logged' })
    await owner.patch(`${path()}/${made.id}`, { values: { title: 'Logged anew' } })
    await owner.delete(`${path()}/${made.id}`)
    const entries = await app.database.read
      .selectFrom('changes')
      .selectAll()
      .where('record_id', '=', made.id)
      .orderBy('id')
      .execute()
    expect(entries.map((entry) => entry.kind)).toEqual(['record-created', 'record-changed', 'record-deleted'])
    expect(new Set(entries.map((entry) => entry.user_id))).toEqual(new Set([owner.userId]))
    expect(entries[1]?.before).toContain('Logged')
    expect(entries[1]?.after).toContain('Logged anew')
  })
})

describe('a viewer', () => {
  test("a read-only user can't write records", async () => {
    const viewer = await app.asViewer()
    const made = await make({ title: 'Seen' })
    expect((await viewer.get(`${path()}/${made.id}`)).status).toBe(200)
    expect((await viewer.post(path(), { values: { title: 'No' } })).status).toBe(403)
    expect((await viewer.patch(`${path()}/${made.id}`, { values: { title: 'No' } })).status).toBe(403)
    expect((await viewer.delete(`${path()}/${made.id}`)).status).toBe(403)
  })
})
