import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importInto, outcome, upload, uploadInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`
const FIELDS = [
  { label: 'Code', kind: 'text', unique: true },
  { label: 'Name', kind: 'text' },
  { label: 'Size', kind: 'number' },
  { label: 'Done', kind: 'checkbox' },
  { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'red' }, { name: 'blue' }] } },
  { label: 'State', kind: 'state', options: { choices: [{ name: 'new' }, { name: 'old' }] } },
  { label: 'Number', kind: 'auto-number' },
]

let count = 0
const newCollection = async (fields: readonly object[] = FIELDS): Promise<string> => {
  count += 1
  const made = await owner.post('/api/collections', { label: `Things ${count}`, fields })
  expect(made.status, made.text).toBe(201)
  return made.body.name
}
const add = async (collection: string, ...create: readonly object[]): Promise<string[]> => {
  const made = await owner.post(`/api/collections/${collection}/records/bulk`, {
    create: create.map((values) => ({ values })),
  })
  expect(made.status, made.text).toBe(200)
  return made.body.created
}
const recordsOf = async (collection: string, query = '') => {
  const listed = await owner.get(`/api/collections/${collection}/records?perPage=500&count=exact${query}`)
  expect(listed.status, listed.text).toBe(200)
  return listed.body.items
}

describe('an import with a key field', () => {
  test("updates only the file's columns in matching records, and creates records for all other rows", async () => {
    const things = await newCollection()
    const [first] = await add(
      things,
      { code: 'a', name: 'Ada', size: 1, tags: ['red'], state: 'old' },
      { code: 'b', name: 'Bob', size: 2 },
    )
    const csv = lines('code,size,tags,state', 'a,10,blue; red,', 'c,30,red,old', 'b,2,,', 'd,4,,')
    const done = await importInto(owner, things, csv, '?key=code')
    expect(done.body, done.text).toMatchObject({
      state: 'done',
      progress: { rowsRead: 4, rowsStored: 4, rowsUpdated: 2, rowsRefused: 0 },
    })
    const items = await recordsOf(things)
    expect(
      items.map((item: { version: number; values: object }) => ({ version: item.version, ...item.values })),
    ).toEqual([
      { version: 2, code: 'a', name: 'Ada', size: 10, done: false, tags: ['blue', 'red'], state: 'old', number: 1 },
      { version: 1, code: 'b', name: 'Bob', size: 2, done: false, tags: [], state: 'new', number: 2 },
      { version: 1, code: 'c', name: null, size: 30, done: false, tags: ['red'], state: 'old', number: 3 },
      { version: 1, code: 'd', name: null, size: 4, done: false, tags: [], state: 'new', number: 4 },
    ])
    expect(items[0].id).toBe(first)
    expect((await recordsOf(things, '&filter=size = 10')).length).toBe(1)
  })

  test('can use an ID, a number or a non-unique field as its key', async () => {
    const things = await newCollection()
    const [first = ''] = await add(things, { code: 'a', name: 'Ada' }, { code: 'b', name: 'Bob' })
    const byId = await importInto(owner, things, lines('id,name', `${first},Ada L.`, ',Cleo'), '?key=id')
    expect(byId.body, byId.text).toMatchObject({ state: 'done', progress: { rowsStored: 2, rowsUpdated: 1 } })
    const byNumber = await importInto(owner, things, lines('number,name', '2,Bobby'), '?key=number')
    expect(byNumber.body, byNumber.text).toMatchObject({ state: 'done', progress: { rowsUpdated: 1 } })
    const byName = await importInto(owner, things, lines('name,size', 'Bobby,7'), '?key=name')
    expect(byName.body, byName.text).toMatchObject({ state: 'done', progress: { rowsUpdated: 1 } })
    expect(
      (await recordsOf(things)).map(({ values }: { values: { name: string; size: number } }) => [
        values.name,
        values.size,
      ]),
    ).toEqual([
      ['Ada L.', null],
      ['Bobby', 7],
      ['Cleo', null],
    ])
  })

  test('rejects ambiguous rows without storing anything', async () => {
    const things = await newCollection()
    await add(
      things,
      { code: 'a', name: 'Twin', size: 1 },
      { code: 'b', name: 'Twin', size: 2 },
      { code: 'c', name: 'Solo' },
    )
    const csv = lines('name,size', 'Twin,5', 'Solo,6', 'Solo,7', 'New,8', 'New,9', ',3')
    const failed = await importInto(owner, things, csv, '?key=name')
    expect(failed.body).toMatchObject({ state: 'failed', progress: { rowsRefused: 4 } })
    expect(failed.body.errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
      [6, expect.stringContaining('This field is required: it identifies the record.')],
      [1, expect.stringContaining('“Twin” matches 2 records')],
      [3, expect.stringContaining('row above')],
      [5, expect.stringContaining('row above')],
    ])
    expect(
      (await recordsOf(things)).map(({ values, version }: { values: { size: number }; version: number }) => [
        values.size,
        version,
      ]),
    ).toEqual([
      [1, 1],
      [2, 1],
      [null, 1],
    ])

    const skipped = await importInto(owner, things, csv, '?key=name&onBadRow=skip')
    expect(skipped.body).toMatchObject({ state: 'done', progress: { rowsStored: 2, rowsUpdated: 1, rowsRefused: 4 } })
    const unknown = await importInto(owner, things, lines('id,name', `${'z'.repeat(26)},Nobody`), '?key=id')
    expect(unknown.body.errors[0].message).toContain('no record with the ID')
  })

  test('previews the number of updated, created and ambiguous rows', async () => {
    const things = await newCollection()
    await add(things, { code: 'a', name: 'Twin' }, { code: 'b', name: 'Twin' }, { code: 'c', name: 'Solo' })
    const looked = await upload(owner, lines('code,name', 'a,Twin', 'c,Solo', 'x,New', 'y,'))
    const count = async (field: string, column: number) =>
      (await owner.post(`/api/imports/${looked.body.id}/look`, { key: { collection: things, field, column } })).body
        .matches
    expect(await count('code', 0)).toEqual({ updates: 2, creates: 2, unclear: 0, isWhole: true })
    expect(await count('name', 1)).toEqual({ updates: 1, creates: 1, unclear: 2, isWhole: true })
    const other = await owner.post(`/api/imports/${looked.body.id}/look`, { separator: ';' })
    expect(other.body.preview.columns.length).toBe(1)
  })

  test("rejects another record's unique value", async () => {
    const things = await newCollection()
    await add(things, { code: 'a', name: 'Ada' }, { code: 'b', name: 'Bob' })
    const failed = await importInto(owner, things, lines('name,code', 'Bob,a'), '?key=name')
    expect(failed.body).toMatchObject({ state: 'failed' })
    expect(failed.body.errors[0].message).toContain('“a” already exists, but the value must be unique.')
  })

  test('requires permission to update every matched record', async () => {
    const things = await newCollection()
    const { body } = await owner.get(`/api/collections/${things}`)
    const importer = await app.asGranted([
      { permission: 'records:import', collection: null },
      { permission: 'records:create', collection: null },
      { permission: 'records:read', collection: null },
    ])
    expect((await uploadInto(importer, body.name, lines('code,name', 'a,x'), '?key=code')).status).toBe(403)
  })

  test('restores previous values when canceled, except in records changed by others in the meantime', async () => {
    const things = await newCollection()
    const values = Array.from({ length: 3000 }, (_, at) => ({
      code: `c${at}`,
      size: at,
      tags: at % 2 === 0 ? ['red'] : [],
    }))
    const ids = await add(things, ...values)
    const before = await allOf(things)
    const csv = lines('code,size,tags', ...values.map(({ code }, at) => `${code},${at + 0.5},blue`), 'new,1,red')
    const looked = await upload(owner, csv)
    const columns = ['code', 'size', 'tags'].map((field) => ({ field }))
    const started = await owner.post(`/api/imports/${looked.body.id}/start`, {
      into: { collection: things },
      columns,
      key: 'code',
    })
    expect(started.status, started.text).toBe(202)
    // Waits until some changes are visible, so that there is something to revert.
    for (;;) {
      const { body } = await owner.get(`/api/collections/${things}/records?filter=size = 0.5&count=exact`)
      if (body.total === 1) break
    }
    const edited = await owner.patch(`/api/collections/${things}/records/${ids[1]}`, { values: { size: 77 } })
    expect(edited.status, edited.text).toBe(200)
    expect((await owner.delete(`/api/imports/${looked.body.id}`)).status).toBe(204)
    expect((await outcome(owner, looked.body.id)).body.state).toBe('cancelled')
    const after = await allOf(things)
    expect(after.length).toBe(3000)
    expect(after[1]).toMatchObject({ values: { code: 'c1', size: 77, tags: [] } })
    const plain = (items: readonly { readonly values: object; readonly updatedAt: string }[]) =>
      items.filter((_, at) => at !== 1).map((item) => [item.values, item.updatedAt])
    expect(plain(after)).toEqual(plain(before))
  })
})

async function allOf(collection: string) {
  const items = []
  for (let cursor = ''; ; ) {
    const { body } = await owner.get(`/api/collections/${collection}/records?perPage=500${cursor}`)
    items.push(...body.items)
    if (body.nextCursor === null) return items
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
  }
}
