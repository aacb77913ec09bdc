import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Notes', kind: 'rich-text' },
    { label: 'Phone', kind: 'phone' },
    { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'Crème' }, { name: 'Plain' }] } },
  ]
  expect((await owner.post('/api/collections', { label: 'Dishes', fields })).status).toBe(201)
  await make({ title: 'Crème brûlée', phone: '+43 (1) 234 56', tags: ['Plain', 'Crème'] })
  await make({ title: 'Soup', notes: document('Serve with a crème on top') })
})
afterAll(() => app.close())

const LIST = '/api/collections/dishes/records'

async function make(values: object): Promise<void> {
  const answer = await owner.post(LIST, { values })
  expect(answer.status, answer.text).toBe(201)
}

const document = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

describe('GET /api/search', () => {
  test('finds records in every collection and returns their titles and matches', async () => {
    const { status, body } = await owner.get('/api/search?q=creme')
    expect(status).toBe(200)
    expect(body.isComplete).toBe(true)
    expect(body.groups).toEqual([
      {
        collection: { id: expect.any(String), name: 'dishes', label: 'Dishes' },
        hasMore: false,
        items: [
          {
            id: expect.any(String),
            title: 'Crème brûlée',
            titleMarks: [[0, 5]],
            snippet: { field: 'tags', label: 'Tags', text: 'Crème', marks: [[0, 5]] },
          },
          {
            id: expect.any(String),
            title: 'Soup',
            titleMarks: [],
            snippet: { field: 'notes', label: 'Notes', text: 'Serve with a crème on top', marks: [[13, 18]] },
          },
        ],
      },
    ])
  })

  test('requires a session and rejects unknown parameters', async () => {
    expect((await app.guest.get('/api/search?q=creme')).status).toBe(401)
    expect((await owner.get('/api/search')).status).toBe(400)
    expect((await owner.get('/api/search?q=a&page=2')).status).toBe(400)
    expect((await owner.get('/api/search?q=a&limit=0')).status).toBe(400)
    expect((await owner.get('/api/search?q=%00')).body).toMatchObject({ code: 'invalid-search' })
  })
})

describe('GET …/records?search=…&marks=true', () => {
  test('returns match positions in UTF-16 units', async () => {
    const { body } = await owner.get(`${LIST}?search=creme&marks=true`)
    expect(body.items.map((item: { marks: object }) => item.marks)).toEqual([
      { title: [[0, 5]], tags: [[0, 5, 1]] },
      { notes: [[13, 18]] },
    ])
    const phone = await owner.get(`${LIST}?search=1234&marks=true&fields=title`)
    expect(phone.body.items).toMatchObject([{ values: { title: 'Crème brûlée' }, marks: { phone: [[5, 11]] } }])
    expect(Object.keys(phone.body.items[0].values)).toEqual(['title'])
  })

  test('returns no match positions if the search contains no words', async () => {
    const { body } = await owner.get(`${LIST}?search=%22&marks=true`)
    expect(body.items.map((item: { marks: object }) => item.marks)).toEqual(body.items.map(() => ({})))
    expect(body.items.length).toBeGreaterThan(0)
  })

  test('returns match positions only if requested', async () => {
    const { body } = await owner.get(`${LIST}?search=creme`)
    expect(body.items.some((item: object) => 'marks' in item)).toBe(false)
    expect((await owner.get(`${LIST}?search=creme&marks=perhaps`)).status).toBe(400)
  })
})

test('the records of a large import are found, and their index is complete soon after it', async () => {
  expect(
    (await owner.post('/api/collections', { label: 'Wines', fields: [{ label: 'Title', kind: 'text' }] })).status,
  ).toBe(201)
  const raw = `title\n${Array.from({ length: 4500 }, (_, at) => `Wine ${at} ${'of the south '.repeat(80)}`).join('\n')}\n`
  const begun = await owner.request('POST', '/api/collections/wines/imports?name=wines.csv', {
    raw,
    headers: { 'content-type': 'text/csv' },
  })
  expect(begun.status, begun.text).toBe(202)
  const path = `/api/collections/wines/imports/${begun.body.id}`
  await expect.poll(async () => (await owner.get(path)).body.state, { timeout: 30_000 }).toBe('done')
  expect((await owner.get('/api/collections/wines/records?search=wine+4321&count=exact')).body.total).toBe(1)
  const state = async () => (await owner.get('/api/collections/wines/search-index')).body.state
  await expect.poll(state, { timeout: 30_000 }).toBe('whole')
})

describe('GET …/search-index', () => {
  test('reports indexing progress to readers', async () => {
    const viewer = await app.asViewer()
    const read = async () => (await viewer.get('/api/collections/dishes/search-index')).body
    await expect.poll(read).toEqual({ state: 'whole', done: 1 })
    expect((await app.guest.get('/api/collections/dishes/search-index')).status).toBe(401)
    expect((await viewer.get('/api/collections/nowhere/search-index')).status).toBe(404)
  })
})
