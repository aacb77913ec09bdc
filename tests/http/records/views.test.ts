import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { INDEX_MIN_RECORDS } from '#domain/query/list/index-selection.ts'
import { MAX_OWN_VIEWS } from '#domain/views/view.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }, { name: 'late' }] } },
  { label: 'Amount', kind: 'number' },
  { label: 'Salary', kind: 'number' },
  { label: 'Photos', kind: 'files' },
]

type Tasks = {
  readonly id: string
  readonly name: string
  readonly views: string
  readonly field: (name: string) => { readonly id: string; readonly options: { readonly choices: object[] } }
}

async function tasks(): Promise<Tasks> {
  count += 1
  const made = await owner.post('/api/collections', { label: `Tasks ${count}`, fields: FIELDS })
  expect(made.status, made.text).toBe(201)
  const { id, name, fields } = made.body
  return {
    id,
    name,
    views: `/api/collections/${name}/views`,
    field: (wanted) => fields.find((field: { name: string }) => field.name === wanted),
  }
}

const FULL = {
  name: 'Open ones',
  query: { filter: 'status = "open" && amount > 2', search: 'roof', sort: '-amount,title', group: 'status' },
  display: { kind: 'cards', options: { fieldCount: 6, cover: 'photos' } },
  layout: {
    order: ['amount', 'status'],
    hidden: ['createdAt', 'salary'],
    widthsPx: { amount: 90 },
    footers: { amount: 'sum' },
  },
  look: {
    density: 'compact',
    areFiltersShown: true,
    isWrapped: true,
    colors: [
      { filter: 'status = "late"', color: 'red', field: null },
      { filter: 'status = "late"', color: 'blue', field: 'amount' },
    ],
  },
  pageSize: 'all',
}

async function save(views: string, view: object, by: Caller = owner) {
  const made = await by.post(views, view)
  expect(made.status, made.text).toBe(201)
  return made.body
}

const listed = async (views: string, by: Caller = owner) => {
  const answer = await by.get(views)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items
}
const namesIn = async (views: string, by: Caller = owner): Promise<string[]> =>
  (await listed(views, by)).map(({ name }: { name: string }) => name)

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.body.code).toBe(code)
}

/** A user who can read all records, with additional grants. */
const reader = (grants: readonly Grant[] = []) =>
  app.asGranted([{ permission: 'records:read', collection: null }, ...grants])
const sharer = (grants: readonly Grant[] = []) => reader([{ permission: 'views:share', collection: null }, ...grants])

describe('a saved view', () => {
  test('is returned with all its settings and current field names', async () => {
    const { views } = await tasks()
    const made = await save(views, FULL)
    expect(made).toMatchObject({
      ...FULL,
      layout: { ...FULL.layout, frozen: [] },
      isShared: false,
      isLocked: false,
      isDefault: false,
      owner: { id: owner.userId, name: 'owner' },
      isUsable: true,
      fellAway: [],
      mayChange: true,
      version: 1,
    })
    expect(await listed(views)).toEqual([made])
  })

  test('shows the list with default settings if it has only a name', async () => {
    const { views } = await tasks()
    expect(await save(views, { name: ' Plain ' })).toMatchObject({
      name: 'Plain',
      query: { filter: '', search: '', sort: '', group: '' },
      display: { kind: 'grid', options: {} },
      layout: { order: [], hidden: [], frozen: [], widthsPx: {}, footers: {} },
      pageSize: 10,
    })
  })

  test('survives renaming fields and options', async () => {
    const { name, views, field } = await tasks()
    await save(views, FULL)
    const fields = `/api/collections/${name}/fields`
    await owner.patch(`${fields}/amount`, { name: 'sum', label: 'Sum' })
    const [open, ...others] = field('status').options.choices
    const choices = [{ ...open, name: 'to do' }, ...others]
    expect((await owner.patch(`${fields}/status`, { name: 'state', options: { choices } })).status).toBe(200)
    const [view] = await listed(views)
    expect(view).toMatchObject({
      query: { filter: 'state = "to do" && sum > 2', sort: '-sum,title', group: 'state' },
      layout: { order: ['sum', 'state'], widthsPx: { sum: 90 }, footers: { sum: 'sum' } },
      fellAway: [],
    })
  })

  test('drops a deleted field and reports it', async () => {
    const { name, views } = await tasks()
    await save(views, FULL)
    await owner.delete(`/api/collections/${name}/fields/amount`)
    await owner.delete(`/api/collections/${name}/fields/photos`)
    const [view] = await listed(views)
    expect(view).toMatchObject({
      query: { filter: 'status = "open"', sort: 'title', group: 'status' },
      display: { kind: 'cards', options: { fieldCount: 6, cover: null } },
      layout: { order: ['status'], widthsPx: {}, footers: {} },
      look: { colors: [{ filter: 'status = "late"', color: 'red', field: null }] },
      isUsable: true,
      fellAway: ['filter', 'sort', 'colors', 'display'],
    })
  })

  test('drops a deleted option', async () => {
    const { name, views, field } = await tasks()
    await save(views, { name: 'Both', query: { filter: 'status in ("open", "late") || amount > 1' } })
    await save(views, { name: 'Late', query: { filter: 'status = "late"' }, look: FULL.look })
    const choices = field('status').options.choices.slice(0, 2)
    await owner.patch(`/api/collections/${name}/fields/status`, { options: { choices } })
    expect((await listed(views)).map(({ query, fellAway, look }: never) => ({ query, fellAway, look }))).toMatchObject([
      { query: { filter: 'status in ("open") || amount > 1' }, fellAway: ['filter'] },
      { query: { filter: '' }, fellAway: ['filter', 'colors'], look: { colors: [] } },
    ])
  })

  test('drops a condition that is no longer valid for its field', async () => {
    const { name, views } = await tasks()
    await save(views, { name: 'Few', query: { filter: 'amount > 2 && title ~ "a"', sort: 'amount' } })
    const changed = await owner.patch(`/api/collections/${name}/fields/amount`, { kind: 'text', acceptLoss: true })
    expect(changed.status, changed.text).toBe(200)
    const [view] = await listed(views)
    expect(view).toMatchObject({ query: { filter: 'title ~ "a"', sort: 'amount' }, fellAway: ['filter'] })
  })

  test.each([
    [{ query: { filter: 'nope = 1' } }, 'invalid-filter', 'query.filter'],
    [{ query: { filter: 'status = "gone"' } }, 'invalid-filter', 'query.filter'],
    [{ query: { sort: '-nope' } }, 'invalid-sort', 'query.sort'],
    [{ query: { group: 'nope' } }, 'invalid-group', 'query.group'],
    [
      { query: { search: Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ') } },
      'invalid-search',
      'query.search',
    ],
    [{ layout: { hidden: ['nope'] } }, 'definition-invalid', 'layout.hidden'],
    [{ layout: { widthsPx: { nope: 90 } } }, 'definition-invalid', 'layout.widthsPx'],
    [{ look: { colors: [{ filter: 'nope = 1', color: 'red' }] } }, 'invalid-filter', 'look.colors.0.filter'],
    [
      { look: { colors: [{ filter: 'amount > 1', color: 'red', field: 'nope' }] } },
      'definition-invalid',
      'look.colors.0.field',
    ],
  ])("is rejected if it doesn't fit: %j", async (part, code, path) => {
    const { views } = await tasks()
    const answer = await owner.post(views, { name: 'A view', ...part })
    expect(answer.body).toMatchObject({ code, errors: [{ path }] })
    expect(await listed(views)).toEqual([])
  })

  test.each([
    {},
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'A', pageSize: 7 },
    { name: 'A', query: { nope: 1 } },
  ])('is rejected if invalid: %j', async (body) => {
    const { views } = await tasks()
    expectProblem(await owner.post(views, body), 400, 'invalid-request')
  })

  test('can be partially updated', async () => {
    const { views } = await tasks()
    const { id } = await save(views, FULL)
    const renamed = await owner.patch(`${views}/${id}`, { name: 'Mine' })
    expect(renamed.body).toMatchObject({ name: 'Mine', query: FULL.query, version: 2 })
    const plain = await owner.patch(`${views}/${id}`, { query: {}, pageSize: 20, version: 2 })
    expect(plain.body).toMatchObject({
      query: { filter: '' },
      layout: { order: FULL.layout.order },
      pageSize: 20,
      version: 3,
    })
    expect((await owner.patch(`${views}/${id}`, { name: 'Mine' })).body.version).toBe(3)
  })

  test("can't be overwritten with a stale version, and the response contains the current one", async () => {
    const { views } = await tasks()
    const { id } = await save(views, { name: 'Team', isShared: true })
    const other = await sharer()
    expect((await other.patch(`${views}/${id}`, { name: 'Crew', version: 1 })).status).toBe(200)
    const late = await owner.patch(`${views}/${id}`, { query: { sort: 'title' }, version: 1 })
    expectProblem(late, 409, 'version-conflict')
    expect(late.body.current).toMatchObject({ id, name: 'Crew', version: 2, query: { sort: '' } })
  })

  test('is deleted permanently with its collection', async () => {
    const { name, views, id } = await tasks()
    const view = await save(views, { name: 'One' })
    await owner.patch(`${views}/${view.id}`, { isDefault: true })
    expect((await owner.delete(`/api/collections/${name}`)).status).toBe(204)
    expect((await owner.delete(`/api/trash/definitions/${id}`)).status).toBe(204)
    for (const table of ['views', 'first_views'] as const) {
      const left = await app.database.read.selectFrom(table).selectAll().where('collection_id', '=', id).execute()
      expect(left).toEqual([])
    }
  })

  test('causes indexes to be created for a large collection, just as a query does', async () => {
    const { name, views } = await tasks()
    const rows = Array.from({ length: INDEX_MIN_RECORDS }, (_, at) => `task ${at},${at}`)
    expect((await importInto(owner, name, `title,amount\n${rows.join('\n')}\n`)).body.state).toBe('done')
    await save(views, { name: 'Dear', query: { sort: '-amount' } })
    await expect
      .poll(async () => (await owner.get(`/api/collections/${name}/indexes`)).body.items, { timeout: 20_000 })
      .toMatchObject([{ sorts: ['-amount'], state: 'ready' }])
  }, 40_000)

  test('counts toward a per-user limit', async () => {
    const { views } = await tasks()
    const mine = await reader()
    for (let at = 0; at < MAX_OWN_VIEWS; at += 1) await save(views, { name: `View ${at}` }, mine)
    expectProblem(await mine.post(views, { name: 'One more' }), 422, 'definition-invalid')
    await save(views, { name: 'Of another' })
  })

  test('is recorded in the change log only if it is shared', async () => {
    const { id: collection, views } = await tasks()
    const { id } = await save(views, { name: 'Team' })
    await owner.patch(`${views}/${id}`, { isShared: true })
    await owner.patch(`${views}/${id}`, { name: 'Crew' })
    await owner.delete(`${views}/${id}`)
    const log = app.database.read.selectFrom('changes').select('kind').where('collection_id', '=', collection)
    const kinds = (await log.orderBy('id').execute()).map(({ kind }) => kind)
    expect(kinds).toEqual(['collection-created', 'view-created', 'view-changed', 'view-deleted'])
  })
})

describe('view order', () => {
  test('lists shared views first, with a separate order for shared and private views', async () => {
    const { views } = await tasks()
    for (const name of ['a', 'b', 'c']) await save(views, { name, isShared: true })
    const own = await save(views, { name: 'own' })
    await save(views, { name: 'own 2' })
    const [first] = await listed(views)
    expect((await owner.patch(`${views}/${first.id}`, { before: null })).body.version).toBe(1)
    await owner.patch(`${views}/${own.id}`, { before: null })
    expect(await namesIn(views)).toEqual(['b', 'c', 'a', 'own 2', 'own'])
  })

  test('moves a view before another one, even if that view has moved', async () => {
    const { views } = await tasks()
    for (const name of ['a', 'b', 'c', 'd']) await save(views, { name })
    const [a, , c, d] = (await listed(views)).map(({ id }: { id: string }) => id)
    await owner.patch(`${views}/${a}`, { before: null })
    await owner.patch(`${views}/${d}`, { before: c })
    expectProblem(await owner.patch(`${views}/${d}`, { before: 'gone' }), 422, 'definition-invalid')
    expect(await namesIn(views)).toEqual(['b', 'd', 'c', 'a'])
  })

  test('sets a default view only for the user who selected it', async () => {
    const { views } = await tasks()
    const { id } = await save(views, { name: 'Team', isShared: true })
    const other = await save(views, { name: 'Other', isShared: true })
    const mine = await reader()
    const defaults = async (by: Caller) =>
      (await listed(views, by)).flatMap(({ name, isDefault }: never) => (isDefault ? [name] : []))
    await mine.patch(`${views}/${id}`, { isDefault: true })
    expect([await defaults(mine), await defaults(owner)]).toEqual([['Team'], []])
    await mine.patch(`${views}/${other.id}`, { isDefault: true })
    expect(await defaults(mine)).toEqual(['Other'])
    await owner.delete(`${views}/${other.id}`)
    expect(await defaults(mine)).toEqual([])
  })
})

describe('view access', () => {
  test('hides private views from other users', async () => {
    const { views } = await tasks()
    const { id } = await save(views, { name: 'Mine' })
    const other = await sharer([{ permission: 'collections:manage', collection: null }])
    expect(await listed(views, other)).toEqual([])
    expect((await other.get('/api/views')).text).not.toContain(id)
    expectProblem(await other.patch(`${views}/${id}`, { name: 'Yours' }), 404, 'not-found')
    expectProblem(await other.delete(`${views}/${id}`), 404, 'not-found')
  })

  test('lets every reader create private views, but requires permission to share them', async () => {
    const { views } = await tasks()
    const mine = await reader()
    const { id } = await save(views, FULL, mine)
    expectProblem(await mine.post(views, { name: 'For all', isShared: true }), 403, 'forbidden')
    expectProblem(await mine.patch(`${views}/${id}`, { isShared: true }), 403, 'forbidden')
    expect((await mine.delete(`${views}/${id}`)).status).toBe(204)
    expect(await listed(views, mine)).toEqual([])
  })

  test('shows shared views to all readers, and only users who can share views can edit them', async () => {
    const { views } = await tasks()
    const { id } = await save(views, { name: 'Team', isShared: true })
    const [some, other] = [await reader(), await sharer()]
    expect(await listed(views, some)).toMatchObject([{ id, mayChange: false, mayLock: false, mayShare: false }])
    for (const change of [{ name: 'Mine' }, { query: {} }, { before: null }, { isLocked: true }, { isShared: false }]) {
      expectProblem(await some.patch(`${views}/${id}`, change), 403, 'forbidden')
    }
    expectProblem(await some.delete(`${views}/${id}`), 403, 'forbidden')
    expect((await other.patch(`${views}/${id}`, { name: 'Crew' })).body).toMatchObject({ name: 'Crew', mayLock: false })
    expect((await other.delete(`${views}/${id}`)).status).toBe(204)
  })

  test('lets only the owner and managers change a locked view', async () => {
    const { views } = await tasks()
    const [maker, other] = [await sharer(), await sharer()]
    const manager = await sharer([{ permission: 'collections:manage', collection: null }])
    const { id } = await save(views, { name: 'Team', isShared: true, isLocked: true }, maker)
    for (const change of [{ name: 'Mine' }, { query: {} }, { isLocked: false }, { isShared: false }]) {
      expectProblem(await other.patch(`${views}/${id}`, change), 403, 'forbidden')
    }
    expectProblem(await other.delete(`${views}/${id}`), 403, 'forbidden')
    expect((await maker.patch(`${views}/${id}`, { name: 'Crew' })).status).toBe(200)
    expect((await manager.patch(`${views}/${id}`, { isLocked: false })).status).toBe(200)
    expect((await other.patch(`${views}/${id}`, { name: 'Ours' })).status).toBe(200)
    expect((await manager.patch(`${views}/${id}`, { isShared: false })).status).toBe(200)
    expect([await namesIn(views, maker), await namesIn(views, manager)]).toEqual([['Ours'], []])
  })

  test('hides all views from users who lose access to the collection, until they regain it', async () => {
    const { id, views } = await tasks()
    let grants: readonly Grant[] = [{ permission: 'records:read', collection: null }]
    const mine = await app.asGranted(() => grants)
    const own = await save(views, { name: 'Mine' }, mine)
    grants = []
    expectProblem(await mine.get(views), 403, 'forbidden')
    const other = await tasks()
    grants = [{ permission: 'records:read', collection: other.id }]
    expectProblem(await mine.get(views), 404, 'collection-not-found')
    expectProblem(await mine.post(views, { name: 'More' }), 404, 'collection-not-found')
    const shared = await save(other.views, { name: 'Team', isShared: true })
    expect((await mine.get('/api/views')).body.items).toEqual([{ id: shared.id, collection: other.id, name: 'Team' }])
    grants = [{ permission: 'records:read', collection: null }]
    expect(await namesIn(views, mine)).toEqual(['Mine'])
    expect((await mine.get('/api/views')).body.items).toContainEqual({ id: own.id, collection: id, name: 'Mine' })
  })

  test('lets a token with the read scope read views but not change them', async () => {
    const { views } = await tasks()
    const { id } = await save(views, { name: 'Mine' })
    const tokenFor = async (scopes: readonly string[]) =>
      app.withToken((await owner.post('/api/tokens', { name: 'A token', scopes })).body.token)
    const reading = await tokenFor(['records:read'])
    expect(await listed(views, reading)).toMatchObject([{ id, mayChange: false, mayShare: false }])
    for (const answer of [
      await reading.post(views, { name: 'More' }),
      await reading.patch(`${views}/${id}`, { isDefault: true }),
      await reading.delete(`${views}/${id}`),
    ]) {
      expectProblem(answer, 403, 'forbidden')
    }
    const sharing = await tokenFor(['records:read', 'views:share'])
    expect((await sharing.patch(`${views}/${id}`, { isShared: true })).status).toBe(200)
  })

  test("shows shared views during impersonation, but not the user's private ones", async () => {
    const { views } = await tasks()
    const subject = await app.asViewer()
    const { id } = await save(views, { name: 'Team', isShared: true })
    await save(views, { name: 'Private' }, subject)
    await subject.patch(`${views}/${id}`, { isDefault: true })
    const begun = await owner.post('/api/view-as', { user: subject.userId })
    expect(begun.status, begun.text).toBe(201)
    const as = { 'view-as': subject.userId ?? '' }
    const seen = await owner.get(views, as)
    expect(seen.body.items).toMatchObject([{ name: 'Team', mayChange: false, mayShare: false, isDefault: false }])
    expectProblem(await owner.post(views, { name: 'Mine' }, as), 403, 'view-as-read-only')
    const names = await owner.get('/api/views', as)
    expect(names.body.items.map(({ name }: { readonly name: string }) => name)).not.toContain('Private')
    await owner.delete('/api/view-as')
  })
})

describe('a hidden field', () => {
  /** A reader without access to the salary, optionally with permission to share views. */
  const without = (salary: string, isSharer = false) =>
    app.asGranted([
      { permission: 'records:read', collection: null, fields: { except: [salary] } },
      ...(isSharer ? [{ permission: 'views:share', collection: null } as const] : []),
    ])

  test('is omitted from sort, groups and layout of a shared view', async () => {
    const { views, field } = await tasks()
    const some = await without(field('salary').id)
    await save(views, {
      name: 'Pay',
      isShared: true,
      query: { sort: '-salary,title', group: 'status' },
      layout: { order: ['salary', 'amount'], hidden: ['salary'], widthsPx: { salary: 70 }, footers: { salary: 'sum' } },
      look: {
        colors: [
          { filter: 'salary > 100', color: 'red' },
          { filter: 'amount > 1', color: 'blue', field: 'salary' },
        ],
      },
    })
    const answer = await some.get(views)
    expect(answer.body.items).toMatchObject([
      {
        query: { sort: 'title', group: 'status' },
        layout: { order: ['amount'], hidden: [], widthsPx: {}, footers: {} },
        look: { colors: [] },
        isUsable: true,
        fellAway: [],
      },
    ])
    expect(answer.text).not.toMatch(/salary/i)
    expect(answer.text).not.toContain(field('salary').id)
  })

  test('makes a view that filters by it unusable without revealing the field', async () => {
    const { views, field } = await tasks()
    const some = await without(field('salary').id)
    await save(views, {
      name: 'Pay',
      isShared: true,
      query: { filter: 'title ~ "secret" && salary > 100', search: 'secret', sort: 'title' },
    })
    const answer = await some.get(views)
    expect(answer.body.items).toMatchObject([
      { isUsable: false, fellAway: [], query: { filter: '', search: '', sort: '', group: '' } },
    ])
    expect(answer.text).not.toMatch(/salary|secret/i)
    expect((await listed(views))[0]).toMatchObject({ isUsable: true })
  })

  test("can't be overwritten by users who can't see it", async () => {
    const { views, field } = await tasks()
    const some = await without(field('salary').id, true)
    const pay = await save(views, { name: 'Pay', isShared: true, query: { sort: 'salary' } })
    const seen = (await listed(views, some))[0]
    expect(seen).toMatchObject({ mayChange: false, query: { sort: '' } })
    const refused = await some.patch(`${views}/${pay.id}`, { query: { sort: 'title' } })
    expectProblem(refused, 403, 'forbidden')
    expect(refused.text).not.toMatch(/salary/i)

    const shown = await save(views, {
      name: 'Photos',
      isShared: true,
      display: { kind: 'cards', options: { cover: 'photos' } },
    })
    const faceless = await without(field('photos').id, true)
    const [, cards] = await listed(views, faceless)
    expect(cards).toMatchObject({ mayChange: false, fellAway: [], display: { options: { cover: null } } })
    expectProblem(await faceless.patch(`${views}/${shown.id}`, { display: { kind: 'grid' } }), 403, 'forbidden')
    await owner.delete(`${views}/${shown.id}`)

    const wide = await save(views, {
      name: 'Wide',
      isShared: true,
      layout: { order: ['salary', 'title'], hidden: ['salary'] },
    })
    expect((await some.patch(`${views}/${wide.id}`, { layout: { order: ['amount'] } })).status).toBe(200)
    const [, now] = await listed(views)
    expect(now.layout).toMatchObject({ order: ['amount', 'salary'], hidden: ['salary'] })
  })

  test('is treated as missing in a private view', async () => {
    const { views, field } = await tasks()
    const some = await without(field('salary').id)
    const ask = async (name: string, part: (name: string) => object) => {
      const answer = await some.post(views, { name: 'A view', ...part(name) })
      const { requestId: _, ...body } = answer.body
      return JSON.stringify([answer.status, body]).replaceAll(name, '…')
    }
    for (const part of [
      (name: string) => ({ query: { filter: `${name} = 1` } }),
      (name: string) => ({ query: { sort: name } }),
      (name: string) => ({ query: { group: name } }),
      (name: string) => ({ layout: { order: [name] } }),
      (name: string) => ({ look: { colors: [{ filter: `${name} = 1`, color: 'red' }] } }),
      (name: string) => ({ display: { kind: 'cards', options: { cover: name } } }),
    ]) {
      expect(await ask('salary', part)).toBe(await ask('zzzzzz', part))
      expect(await ask(field('salary').id, part)).toBe(await ask('z'.repeat(26), part))
    }
  })
})
