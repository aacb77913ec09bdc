import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { defineCollection, recordsPath as at, type TestCollection } from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
let orders: TestCollection

const choices = [{ name: 'Low' }, { name: 'High' }]

beforeAll(async () => {
  app = await openTestApp()
  await app.listen()
  owner = await app.asOwner()
  orders = await defineCollection(owner, 'Orders', [
    { label: 'Title', kind: 'text' },
    { label: 'Price', kind: 'number', default: 10 },
    { label: 'Number', kind: 'auto-number' },
  ])
  await add({ label: 'Total', kind: 'number', required: true, defaultFormula: 'price * 2' })
  await add({ label: 'Level', kind: 'select', options: { choices }, defaultFormula: 'if(total > 30, "High", "Low")' })
  await add({ label: 'Due', kind: 'date', defaultFormula: 'dateadd(today(), 7, "days")' })
})
afterAll(() => app.close())

async function add(field: object): Promise<void> {
  const answer = await owner.post(`/api/collections/${orders.name}/fields`, field)
  expect(answer.status, answer.text).toBe(201)
}

const fieldOf = async (name: string, caller = owner) =>
  (await caller.get(`/api/collections/${orders.name}`)).body.fields.find((each: { name: string }) => each.name === name)

const newest = async () => (await owner.get(`${at(orders)}?sort=-number&perPage=1`)).body.items[0].values

async function created(values: object, caller = owner): Promise<Record<string, unknown>> {
  const answer = await caller.post(at(orders), { values })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.values
}

test('a default value is calculated whenever a record is created', async () => {
  expect(await created({ title: 'One' })).toMatchObject({
    total: 20,
    level: 'Low',
    due: expect.stringMatching(/^\d{4}-/),
  })
  expect(await created({ title: 'Two', price: 20 })).toMatchObject({ total: 40, level: 'High' })
  expect(await created({ title: 'Three', total: 1, due: null })).toMatchObject({ total: 1, level: 'Low', due: null })
  const bulk = await owner.post(`${at(orders)}/bulk`, { create: [{ values: { title: 'Four', price: 16 } }] })
  expect(bulk.status, bulk.text).toBe(200)
  expect(await newest()).toMatchObject({ total: 32, level: 'High' })
})

test('an import calculates default values of each row', async () => {
  const begun = await owner.request('POST', `/api/collections/${orders.name}/imports?name=a.csv`, {
    raw: 'title,price\nFive,25\n',
    headers: { 'content-type': 'text/csv' },
  })
  expect(begun.status, begun.text).toBe(202)
  const path = `/api/collections/${orders.name}/imports/${begun.body.id}`
  await expect.poll(async () => (await owner.get(path)).body.state, { interval: 20 }).toBe('done')
  expect(await newest()).toMatchObject({ title: 'Five', total: 50, level: 'High' })
})

test('a required field whose default value is empty is still required', async () => {
  expect((await owner.post(at(orders), { values: { title: 'Six', price: null } })).body.errors).toMatchObject([
    { path: 'total', code: 'required' },
  ])
})

test('an import with a key field requires default values only for new records', async () => {
  await created({ title: 'Known', price: 1, total: 4 })
  const updated = await importInto(owner, orders.name, 'title,price\nKnown,\n', '?key=title')
  expect(updated.body, updated.text).toMatchObject({ state: 'done', progress: { rowsUpdated: 1, rowsRefused: 0 } })
  expect(await newest()).toMatchObject({ title: 'Known', price: null, total: 4 })
  const both = await importInto(owner, orders.name, 'title,price\nKnown,2\nUnknown,\n', '?key=title')
  expect(both.body, both.text).toMatchObject({
    state: 'failed',
    errors: [{ row: 2, column: 'Total', message: 'This field is required.' }],
  })
  expect(await newest()).toMatchObject({ title: 'Known', price: null, total: 4 })
})

test('default values of a role replace calculated ones', async () => {
  const { id } = await fieldOf('total')
  const presets = { [id]: 7 }
  const grants = ['records:read', 'records:create'].map((permission) => ({
    permission,
    collection: orders.id,
    ...(permission === 'records:create' && { presets }),
  }))
  const clerk = await app.asGranted(grants as readonly Grant[])
  expect(await created({ title: 'Seven' }, clerk)).toMatchObject({ total: 7, level: 'Low' })
})

test('a formula of default values survives renames, and keeps its inputs from being deleted', async () => {
  const fields = `/api/collections/${orders.name}/fields`
  expect((await owner.patch(`${fields}/price`, { name: 'cost' })).status).toBe(200)
  expect(await fieldOf('total')).toMatchObject({ default: null, defaultFormula: 'cost * 2' })
  const deleted = await owner.delete(`${fields}/cost`)
  expect(deleted.body).toMatchObject({
    code: 'in-use',
    detail: expect.stringContaining('“Total” uses a field that would be missing.'),
  })
  expect((await owner.patch(`${fields}/total`, { label: 'Sum' })).status).toBe(200)
  expect(await created({ title: 'Eight', cost: 3 })).toMatchObject({ total: 6 })
  expect((await owner.patch(`${fields}/total`, { default: 5 })).status).toBe(200)
  expect(await fieldOf('total')).not.toHaveProperty('defaultFormula')
  expect((await owner.patch(`${fields}/total`, { defaultFormula: 'cost' })).status).toBe(200)
  expect((await owner.patch(`${fields}/total`, { label: 'Sum', defaultFormula: '' })).status).toBe(200)
  expect(await fieldOf('total')).not.toHaveProperty('defaultFormula')
  expect((await owner.patch(`${fields}/total`, { defaultFormula: 'cost + 1' })).status).toBe(200)
  expect(await fieldOf('total')).toMatchObject({ default: null, defaultFormula: 'cost + 1' })
  expect((await owner.patch(`${fields}/cost`, { name: 'price' })).status).toBe(200)
})

test('formulas of default values are checked, and use only fields that their author can read', async () => {
  const fields = `/api/collections/${orders.name}/fields`
  const fault = async (defaultFormula: string, caller = owner) => {
    const answer = await caller.patch(`${fields}/due`, { defaultFormula })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.errors).toMatchObject([{ path: 'defaultFormula', code: 'invalid-formula' }])
    return answer.body.errors[0].message
  }
  expect(await fault('price')).toContain('The result must be a date, not a number.')
  expect(await fault('dateadd(today(), number, "days")')).toContain('before the record is saved')
  const { id } = await fieldOf('price')
  const blind = await app.asGranted([
    { permission: 'collections:manage', collection: orders.id },
    { permission: 'records:read', collection: orders.id, fields: { except: [id] } },
  ] as readonly Grant[])
  expect(await fault('dateadd(today(), price, "days")', blind)).toContain('There is no field “price”')
  expect((await blind.patch(`${fields}/total`, { label: 'Total', defaultFormula: 'price + 1' })).status).toBe(200)
  const reader = await app.asGranted([
    { permission: 'records:read', collection: orders.id, fields: { except: [id] } },
  ] as readonly Grant[])
  expect((await fieldOf('total', reader)).defaultFormula).toBe('')
  expect((await fieldOf('total')).defaultFormula).toBe('price + 1')
})
