import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcome, upload, uploadInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let ada: Caller
let bob: Caller
let count = 0

async function person(name: string): Promise<Caller> {
  const caller = await app.asEditor()
  expect((await caller.patch('/api/account/profile', { name })).status).toBe(204)
  return caller
}

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  ada = await person('Ada Lovelace')
  bob = await person('Böb % Example')
})
afterAll(() => app.close())

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

async function aCollection(...fields: object[]): Promise<string> {
  count += 1
  const made = await owner.post('/api/collections', { label: `Kinds ${count}`, fields })
  expect(made.status, made.text).toBe(201)
  return `/api/collections/${made.body.name}`
}

async function make(path: string, values: object, who = owner) {
  const answer = await who.post(`${path}/records`, { values })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const refusal = async (path: string, values: object) => {
  const answer = await owner.post(`${path}/records`, { values })
  expect(answer.status).toBe(422)
  return answer.body.errors.map((error: { path: string; code: string }) => [error.path, error.code])
}

async function found(path: string, query: Record<string, string>): Promise<string[]> {
  const answer = await owner.get(`${path}/records?${new URLSearchParams({ sort: 'name', ...query })}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items.map((item: { values: { name: string } }) => item.values.name)
}

const EVERY_FURTHER_KIND = [
  { label: 'Name', kind: 'text' },
  { label: 'Tags', kind: 'multi-select', options: choices('new', 'a; b', 'old') },
  { label: 'Stage', kind: 'state', options: choices('wanted', 'here') },
  { label: 'Mail', kind: 'email', unique: true },
  { label: 'Site', kind: 'url' },
  { label: 'Phone', kind: 'phone' },
  { label: 'Keeper', kind: 'user' },
  { label: 'Readers', kind: 'user', options: { many: true } },
  { label: 'Number', kind: 'auto-number' },
  { label: 'Extra', kind: 'json' },
]

describe('values of other field types', () => {
  let path: string
  let record: { id: string; values: Record<string, unknown> }

  beforeAll(async () => {
    path = await aCollection(...EVERY_FURTHER_KIND)
    record = await make(path, {
      name: 'first',
      tags: ['old', 'a; b'],
      stage: 'here',
      mail: ' Ada@Example.ORG ',
      site: 'HTTPS://Example.org/A?b#c',
      phone: '+43 1 234-56 78',
      keeper: ada.userId,
      readers: [bob.userId, ada.userId],
      extra: { list: [1, null, 'ä'], type: 'doc', empty: [] },
    })
    await make(path, { name: 'second' })
  })

  test('are normalized, and returned in the form in which they were written', async () => {
    expect(record.values).toEqual({
      name: 'first',
      tags: ['old', 'a; b'],
      stage: 'here',
      mail: 'ada@example.org',
      site: 'https://example.org/A?b#c',
      phone: '+43 1 234-56 78',
      keeper: ada.userId,
      readers: [bob.userId, ada.userId],
      number: 1,
      extra: { list: [1, null, 'ä'], type: 'doc', empty: [] },
    })
    const read = await owner.get(`${path}/records/${record.id}`)
    expect(read.body.values).toEqual(record.values)
  })

  test('are initially empty, except for status and auto number', async () => {
    const { body } = await owner.get(`${path}/records?filter=${encodeURIComponent('name = "second"')}`)
    expect(body.items[0].values).toEqual({
      name: 'second',
      tags: [],
      stage: 'wanted',
      mail: null,
      site: null,
      phone: null,
      keeper: null,
      readers: [],
      number: 2,
      extra: null,
    })
  })

  test('contain only the ID and name of expanded users', async () => {
    const { body } = await owner.get(`${path}/records/${record.id}?expand=keeper,readers`)
    expect(body.values.keeper).toEqual({ id: ada.userId, name: 'Ada Lovelace' })
    expect(body.values.readers).toEqual([
      { id: bob.userId, name: 'Böb % Example' },
      { id: ada.userId, name: 'Ada Lovelace' },
    ])
  })

  test('are rejected by field name if invalid', async () => {
    expect(
      await refusal(path, {
        tags: 'new',
        stage: 'lost',
        mail: 'nobody',
        site: 'javascript:alert(1)',
        phone: 'call me',
        keeper: '00000000000000000000000000',
        number: 7,
        extra: 'x'.repeat(100_000),
      }),
    ).toEqual([
      ['tags', 'not-list'],
      ['stage', 'not-choice'],
      ['mail', 'not-email'],
      ['site', 'not-url'],
      ['phone', 'not-phone'],
      ['number', 'counted'],
      ['extra', 'too-long'],
    ])
    expect(await refusal(path, { keeper: '00000000000000000000000000', readers: [owner.userId, 'x'] })).toEqual([
      ['readers', 'not-user'],
    ])
    expect(await refusal(path, { keeper: '00000000000000000000000000' })).toEqual([['keeper', 'unknown-user']])
    expect(await refusal(path, { mail: 'ADA@example.org' })).toEqual([['mail', 'not-unique']])
  })

  test.each([
    [{ search: 'lovelace' }, ['first']],
    [{ search: 'bob' }, ['first']],
    [{ search: '2345678' }, ['first']],
    [{ search: '"234-56"' }, ['first']],
    [{ search: 'example.org/a' }, ['first']],
    [{ search: 'ada@' }, ['first']],
    [{ search: '"a; b"' }, ['first']],
    [{ search: 'wanted' }, ['second']],
    [{ search: 'list' }, []],
    [{ filter: 'tags = "old" && tags != "new"' }, ['first']],
    [{ filter: 'tags != "old"' }, ['second']],
    [{ filter: 'stage = "wanted"' }, ['second']],
    [{ filter: 'mail = "Ada@example.org"' }, ['first']],
    [{ filter: 'phone ^= "+431"' }, ['first']],
    [{ filter: 'keeper ~ "LOVE"' }, ['first']],
    [{ filter: 'readers !~ "böb"' }, ['second']],
    [{ filter: 'keeper = @me' }, []],
    [{ filter: 'number > 1.5' }, ['second']],
    [{ filter: 'number between 1 and 2' }, ['first', 'second']],
    [{ filter: 'extra is empty' }, ['second']],
    [{ filter: 'createdBy ~ "owner"' }, ['first', 'second']],
    [{ sort: '-number' }, ['second', 'first']],
    [{ sort: '-stage' }, ['first', 'second']],
    [{ sort: '-keeper' }, ['first', 'second']],
    [{ sort: 'tags' }, ['first', 'second']],
  ])('are found by the query %j', async (query, names) => {
    expect(await found(path, query as Record<string, string>)).toEqual(names)
  })

  test('match the current user with @me', async () => {
    const answer = await ada.get(`${path}/records?filter=${encodeURIComponent('keeper = @me && readers = @me')}`)
    expect(answer.body.items).toHaveLength(1)
  })

  test('can be grouped if they are short, with users grouped by name', async () => {
    const groups = await owner.get(`${path}/groups?by=keeper`)
    expect(groups.body.groups).toMatchObject([
      { key: { keeper: ada.userId }, label: 'Ada Lovelace', count: 1, offset: 0 },
      { key: { keeper: null }, count: 1, offset: 1 },
    ])
    const readers = await owner.get(`${path}/groups?by=readers&aggregates=count`)
    expect(readers.body.groups).toMatchObject([
      { key: { readers: ada.userId }, label: 'Ada Lovelace', count: 1, offset: 0 },
      { key: { readers: bob.userId }, label: 'Böb % Example', count: 1, offset: 1 },
      { key: { readers: null }, count: 1, offset: 2 },
    ])
    const tags = await owner.get(`${path}/groups?by=tags`)
    expect(new Set(tags.body.groups.map(({ key }: { key: { tags: string } }) => key.tags))).toEqual(
      new Set(['old', 'a; b', null]),
    )
    expect((await owner.get(`${path}/groups?by=extra`)).status).toBe(400)
    expect((await owner.get(`${path}/records?sort=extra`)).body).toMatchObject({ code: 'invalid-sort' })
  })

  test('are preserved by a CSV export and import', async () => {
    const csv = (await owner.get(`${path}/export.csv`)).text
    const other = await aCollection(...EVERY_FURTHER_KIND)
    await make(other, { name: 'zeroth' })
    const done = await importCsv(other, csv)
    expect(done.body).toMatchObject({ state: 'done', progress: { rowsStored: 2 } })
    const { body } = await owner.get(`${other}/records`)
    const [, first, second] = body.items.map((item: { values: object }) => item.values)
    expect(first).toEqual({ ...record.values, number: 2 })
    expect(second).toMatchObject({ name: 'second', stage: 'wanted', number: 3, readers: [], extra: null })
    expect((await make(other, { name: 'last' })).values.number).toBe(4)
  })
})

describe('the creator and last editor of a record', () => {
  test('are returned with names when expanded, even if disabled', async () => {
    const leaving = await person('Leaving Soon')
    const path = await aCollection({ label: 'Name', kind: 'text' })
    const { id } = await make(path, { name: 'one' }, leaving)
    await ada.patch(`${path}/records/${id}`, { values: { name: 'two' } })
    await owner.patch(`/api/users/${leaving.userId}`, { isDisabled: true })
    const [by, last] = [leaving.userId ?? '', ada.userId ?? '']
    const both = { [by]: 'Leaving Soon', [last]: 'Ada Lovelace' }
    expect((await bob.get(`${path}/records/${id}?expand=*`)).body).toMatchObject({
      createdBy: by,
      updatedBy: last,
      people: both,
    })
    const [item] = (await bob.get(`${path}/records?expand=name,updatedBy`)).body.items
    expect(item.people).toEqual({ [last]: 'Ada Lovelace' })
    expect((await bob.get(`${path}/records/${id}?expand=name`)).body).not.toHaveProperty('people')
    expect((await bob.get(`${path}/records/${id}?expand=madeBy`)).status).toBe(400)
  })

  test('are not returned with names if the record is unreadable', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' })
    const { id } = (await owner.get(path)).body
    const maker = await app.asGranted([{ permission: 'records:create', collection: id }])
    const { body } = await maker.post(`${path}/records`, { values: {} })
    expect(body).not.toHaveProperty('people')
  })

  test('can be sorted by name and filtered by user, @me and emptiness', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' })
    for (const [name, who] of [
      ['b', bob],
      ['a', ada],
      ['o', owner],
    ] as const)
      await make(path, { name }, who)
    const [first] = (await owner.get(`${path}/records?sort=name`)).body.items
    await owner.patch(`${path}/records/${first.id}`, { values: { name: 'a' } })
    await bob.patch(`${path}/records/${first.id}`, { values: { name: 'a2' } })
    const questions: readonly [Record<string, string>, readonly string[]][] = [
      [{ sort: 'createdBy' }, ['a2', 'b', 'o']],
      [{ sort: '-updatedBy,name' }, ['o', 'a2', 'b']],
      [{ filter: `updatedBy = "${bob.userId}"` }, ['a2', 'b']],
      [{ filter: `createdBy != "${bob.userId}"` }, ['a2', 'o']],
      [{ filter: 'createdBy = @me' }, ['o']],
      [{ filter: 'createdBy is empty' }, []],
    ]
    for (const [query, names] of questions) expect(await found(path, query), JSON.stringify(query)).toEqual(names)
  })
})

async function importCsv(path: string, csv: string) {
  const started = await uploadInto(owner, path.replace('/api/collections/', ''), csv)
  expect(started.status, started.text).toBe(202)
  return outcome(owner, started.body.id)
}

describe('an auto number', () => {
  const numbers = async (path: string): Promise<number[]> =>
    (await owner.get(`${path}/records?perPage=500`)).body.items.map(
      (item: { values: { no: number } }) => item.values.no,
    )

  test('has no gaps after rejected or concurrent writes', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text', unique: true }, { label: 'No', kind: 'auto-number' })
    await make(path, { name: 'a' })
    expect(await refusal(path, { name: 'a' })).toEqual([['name', 'not-unique']])
    await Promise.all(Array.from({ length: 20 }, (_, at) => make(path, { name: `at once ${at}` })))
    const create = ['x', 'y', 'z'].map((name) => ({ values: { name } }))
    expect((await owner.post(`${path}/records/bulk`, { create: [...create, { values: { name: 'a' } }] })).status).toBe(
      422,
    )
    expect((await owner.post(`${path}/records/bulk`, { create })).status).toBe(200)
    expect((await numbers(path)).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1))
  })

  test('numbers existing records by creation time, then new ones', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' })
    for (const name of ['c', 'a', 'b']) await make(path, { name })
    const added = await owner.post(`${path}/fields`, { label: 'No', kind: 'auto-number' })
    expect(added.status, added.text).toBe(201)
    expect(added.body.fields[1]).toMatchObject({ kind: 'auto-number', unique: true })
    await make(path, { name: 'd' })
    expect(await numbers(path)).toEqual([1, 2, 3, 4])
    expect(await found(path, { search: '4' })).toEqual(['d'])
  })

  test("can't be written, imported or given a default value", async () => {
    const path = await aCollection(
      { label: 'Name', kind: 'text' },
      { label: 'No', kind: 'auto-number', required: true },
    )
    const { id } = await make(path, { name: 'a' })
    const change = await owner.patch(`${path}/records/${id}`, { values: { no: 9 } })
    expect(change.body.errors).toMatchObject([{ path: 'no', code: 'counted' }])
    const wanted = await owner.post(`${path}/fields`, { label: 'Other', kind: 'auto-number', default: 3 })
    expect(wanted.body.errors).toMatchObject([{ path: 'default', code: 'counted' }])
  })

  test('can be converted from a number field and continues after the highest number', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' }, { label: 'No', kind: 'number' })
    for (const no of [7, null, 3]) await make(path, { name: `${no}`, no })
    const changed = await owner.patch(`${path}/fields/no`, { kind: 'auto-number' })
    expect(changed.status, changed.text).toBe(200)
    await make(path, { name: 'next' })
    expect(await numbers(path)).toEqual([7, 8, 3, 9])
    expect((await owner.patch(`${path}/fields/no`, { kind: 'text' })).status).toBe(200)
    expect(await numbers(path)).toEqual(['7', '8', '3', '9'])
  })
})

describe('a state', () => {
  test('a collection can have only one status field, which needs an option', async () => {
    const path = await aCollection({ label: 'Stage', kind: 'state', options: choices('one') })
    const second = await owner.post(`${path}/fields`, { label: 'Other', kind: 'state', options: choices('a') })
    expect(second.body.errors).toMatchObject([{ path: 'kind', code: 'second-state' }])
    const empty = await owner.post('/api/collections', { label: 'Empty', fields: [{ label: 'S', kind: 'state' }] })
    expect(empty.body.errors).toMatchObject([{ path: 'fields.0.options.choices', code: 'no-choices' }])
  })

  test('a status is never empty, even initially, after updates or when its option is removed', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' })
    const { id } = await make(path, { name: 'old' })
    const added = await owner.post(`${path}/fields`, {
      label: 'Stage',
      kind: 'state',
      default: 'b',
      options: choices('a', 'b', 'c'),
    })
    const stage = added.body.fields[1]
    expect(stage.default).toBe('b')
    expect((await owner.get(`${path}/records/${id}`)).body.values.stage).toBe('b')
    expect((await make(path, { name: 'new', stage: null })).values.stage).toBe('b')
    const emptied = await owner.patch(`${path}/records/${id}`, { values: { stage: null } })
    expect(emptied.body.errors).toMatchObject([{ path: 'stage', code: 'required' }])

    await owner.patch(`${path}/records/${id}`, { values: { stage: 'c' } })
    const kept = stage.options.choices.slice(0, 2)
    const lossy = await owner.patch(`${path}/fields/stage`, { options: { choices: kept } })
    expect(lossy.body).toMatchObject({ lost: { count: 1, examples: ['c'] } })
    await owner.patch(`${path}/fields/stage`, { options: { choices: kept }, acceptLoss: true })
    expect((await owner.get(`${path}/records/${id}`)).body.values.stage).toBe('b')
  })
})

describe('users as values of a record', () => {
  test('must be active when selected, and are kept when disabled later', async () => {
    const path = await aCollection({ label: 'Who', kind: 'user', options: { many: true } })
    const gone = await person('Gone Girl')
    const { id } = await make(path, { who: [gone.userId] })
    expect((await owner.patch(`/api/users/${gone.userId}`, { isDisabled: true })).status).toBe(200)

    expect((await make(path, { who: [ada.userId] })).values.who).toEqual([ada.userId])
    expect(await refusal(path, { who: [gone.userId] })).toEqual([['who', 'unknown-user']])
    const more = await owner.patch(`${path}/records/${id}`, { values: { who: [gone.userId, bob.userId] } })
    expect(more.body.values.who).toEqual([gone.userId, bob.userId])
    const list = await owner.get('/api/people?search=gone')
    expect(list.body.items).toEqual([])
  })

  test('are listed by name only for users who can read the record', async () => {
    const viewer = await app.asViewer()
    const found = await viewer.get('/api/people?search=BOB%20%25')
    expect(found.body).toEqual({
      items: [{ id: bob.userId, name: 'Böb % Example' }],
      page: 1,
      perPage: 50,
      hasMore: false,
      total: 1,
    })
    const page = await viewer.get('/api/people?page=2&perPage=1')
    expect(page.body.items).toHaveLength(1)
    const all = await viewer.get('/api/people')
    expect(page.body.total).toBe(all.body.items.length)
    const withEmail = { name: 'Böb % Example', email: expect.stringContaining('@') }
    expect((await owner.get('/api/people?search=BOB%20%25')).body.items).toMatchObject([withEmail])
    expect((await app.guest.get('/api/people')).status).toBe(401)
    expect((await viewer.get('/api/people?email=x')).status).toBe(400)
  })

  test('can be found by their new name immediately', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' }, { label: 'Who', kind: 'user' })
    const renamed = await person('Before')
    await make(path, { name: 'it', who: renamed.userId })
    await renamed.patch('/api/account/profile', { name: 'After' })
    expect(await found(path, { search: 'before' })).toEqual([])
    expect(await found(path, { filter: 'who ~ "AFTER"' })).toEqual(['it'])
  })
})

describe('converting a field type', () => {
  const values = async (path: string, field: string): Promise<unknown[]> =>
    (await owner.get(`${path}/records`)).body.items.map(
      (item: { values: Record<string, unknown> }) => item.values[field],
    )
  const change = async (path: string, field: string, body: object) => {
    const answer = await owner.patch(`${path}/fields/${field}`, body)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  test('splits text into options, and joins options into text', async () => {
    const path = await aCollection({ label: 'Tags', kind: 'text' })
    for (const tags of ['b; a', 'a', null, 'c; a; c']) await make(path, { tags })
    const { fields } = await change(path, 'tags', { kind: 'multi-select' })
    expect(fields[0].options.choices.map(({ name }: { name: string }) => name).toSorted()).toEqual(['a', 'b', 'c'])
    expect(await values(path, 'tags')).toEqual([['b', 'a'], ['a'], [], ['c', 'a']])
    expect((await owner.get(`${path}/records?filter=${encodeURIComponent('tags = "c"')}`)).body.total).toBe(1)

    const lossy = await owner.patch(`${path}/fields/tags`, { kind: 'select' })
    expect(lossy.body).toMatchObject({ lost: { count: 2, examples: ['b; a', 'c; a'] } })
    await change(path, 'tags', { kind: 'text' })
    expect(await values(path, 'tags')).toEqual(['b; a', 'a', null, 'c; a'])
  })

  test('keeps options, IDs and the default when changing select to multi-select', async () => {
    const path = await aCollection({ label: 'Tags', kind: 'select', default: 'x; y', options: choices('x; y', 'z') })
    await make(path, {})
    const before = (await owner.get(path)).body.fields[0].options.choices
    const { fields } = await change(path, 'tags', { kind: 'multi-select' })
    expect(fields[0].options.choices).toEqual(before)
    expect(await values(path, 'tags')).toEqual([['x; y']])
    const gone = await change(path, 'tags', { options: { choices: before.slice(1) }, acceptLoss: true })
    expect(gone.fields[0].options.choices).toHaveLength(1)
    expect(await values(path, 'tags')).toEqual([[]])
  })

  test('keeps a default value that is still valid', async () => {
    const path = await aCollection(
      { label: 'Extra', kind: 'json', default: ['a'] },
      { label: 'Tags', kind: 'multi-select', default: ['x'], options: choices('x', 'y') },
    )
    const { fields } = await change(path, 'extra', { label: 'More' })
    expect(fields[0].default).toEqual(['a'])
    const renamed = fields[1].options.choices.map((choice: { name: string }) => ({
      ...choice,
      name: `new ${choice.name}`,
    }))
    expect((await change(path, 'tags', { options: { choices: renamed } })).fields[1].default).toEqual(['new x'])
    expect((await make(path, {})).values).toEqual({ extra: ['a'], tags: ['new x'] })
  })

  test('converts users to their names and matches names to users', async () => {
    const path = await aCollection({ label: 'Who', kind: 'user', options: { many: true } })
    await make(path, { who: [bob.userId, ada.userId] })
    await change(path, 'who', { kind: 'text' })
    expect(await values(path, 'who')).toEqual(['Böb % Example; Ada Lovelace'])
    await make(path, { who: 'Nobody' })
    const lossy = await owner.patch(`${path}/fields/who`, { kind: 'user', options: { many: true } })
    expect(lossy.body).toMatchObject({ lost: { count: 1, examples: ['Nobody'] } })
    await change(path, 'who', { kind: 'user', options: { many: true }, acceptLoss: true })
    expect(await values(path, 'who')).toEqual([[bob.userId, ada.userId], []])
    const one = await owner.patch(`${path}/fields/who`, { options: { many: false } })
    expect(one.body).toMatchObject({ lost: { count: 1 } })
  })

  test('keeps valid addresses when converting to email', async () => {
    const path = await aCollection({ label: 'Contact', kind: 'text' })
    for (const contact of ['A@b.org', 'somebody']) await make(path, { contact })
    const lossy = await owner.patch(`${path}/fields/contact`, { kind: 'email', unique: true })
    expect(lossy.body).toMatchObject({ lost: { count: 1, examples: ['somebody'] } })
    await change(path, 'contact', { kind: 'email', unique: true, acceptLoss: true })
    expect(await values(path, 'contact')).toEqual(['a@b.org', null])
    expect(await refusal(path, { contact: 'a@B.org' })).toEqual([['contact', 'not-unique']])
  })
})

describe('importing other field types from CSV', () => {
  test('detects email and phone columns automatically, and lists and users on request', async () => {
    const csv = [
      'Name,Mail,Page,Call,Tags,Boss,Stage',
      'A,a@x.org,https://x.org,+43 1 234567,"red; blue",Ada Lovelace,new',
      'B,B@X.org,http://y.org/b,(01) 765 43 21,blue,,',
      'C,,,,,böb % example; Ada Lovelace,old',
    ].join('\n')
    const looked = await upload(owner, csv)
    const kinds = looked.body.preview.columns.map((column: { kind: string }) => column.kind)
    expect(kinds).toEqual(['text', 'email', 'url', 'phone', 'text', 'text', 'text'])

    const requested = ['text', 'email', 'url', 'phone', 'multi-select', 'user', 'state']
    const columns = requested.map((kind, at) => ({
      newField: {
        label: 'Name,Mail,Page,Call,Tags,Boss,Stage'.split(',')[at],
        kind,
        options: kind === 'user' ? { many: true } : {},
      },
    }))
    const into = { newCollection: { label: 'From a file' } }
    const started = await owner.post(`/api/imports/${looked.body.id}/start`, { into, columns })
    expect(started.status, started.text).toBe(202)
    const done = await outcome(owner, looked.body.id)
    expect(done.body).toMatchObject({ state: 'done', errors: [] })
    const { body } = await owner.get(`/api/collections/${done.body.collection}/records`)
    expect(body.items.map((item: { values: object }) => item.values)).toMatchObject([
      { mail: 'a@x.org', call: '+43 1 234567', tags: ['red', 'blue'], boss: [ada.userId], stage: 'new' },
      { mail: 'b@x.org', page: 'http://y.org/b', tags: ['blue'], boss: [], stage: 'new' },
      { mail: null, tags: [], boss: [bob.userId, ada.userId], stage: 'old' },
    ])
  })

  test('reports unknown and ambiguous users', async () => {
    const path = await aCollection({ label: 'Name', kind: 'text' }, { label: 'Boss', kind: 'user' })
    const [one] = [await person('Same Name'), await person('same náme')]
    const failed = await importCsv(path, 'name,boss\na,Nobody\nb,Same Name\n')
    expect(failed.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'Person “Nobody” not found.',
      'More than one person is named “Same Name”.',
    ])
    const done = await importCsv(path, `name,boss\nb,${one?.userId}\n`)
    expect(done.body.state).toBe('done')
  })

  test("an import can't set auto numbers", async () => {
    const looked = await upload(owner, 'Name,No\na,1\n')
    const newField = (label: string, kind: string) => ({ newField: { label, kind } })
    const into = { newCollection: { label: 'Counted' } }
    const columns = [newField('Name', 'text'), newField('No', 'auto-number')]
    const refused = await owner.post(`/api/imports/${looked.body.id}/start`, { into, columns })
    expect(refused.status).toBe(400)
    expect(refused.body.detail).toContain('No is assigned by the server. Skip that column. Nothing was imported.')
    expect((await owner.get('/api/collections/counted')).status).toBe(404)
  })
})
