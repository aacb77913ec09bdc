import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  recordsPath,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type FieldBody = { readonly id: string; readonly name: string; readonly options: { readonly formula?: string } }

let orders: TestCollection
let fields: Record<string, FieldBody> = {}

const path = (rest = ''): string => `/api/collections/${orders.name}${rest}`

async function refresh(): Promise<void> {
  const { body } = await owner.get(path())
  fields = Object.fromEntries(body.fields.map((field: FieldBody) => [field.name, field]))
}

const addFormula = (label: string, formula: string, who = owner): Promise<Answer> =>
  who.post(path('/fields'), { label, kind: 'formula', options: { formula } })

beforeEach(async () => {
  orders = await defineCollection(owner, 'Orders', [
    { label: 'Title', kind: 'text' },
    { label: 'Price', kind: 'number' },
    { label: 'Quantity', kind: 'number' },
    { label: 'Due', kind: 'date' },
    { label: 'Stage', kind: 'select', options: { choices: [{ name: 'Open' }, { name: 'Done' }] } },
    { label: 'Total', kind: 'formula', options: { formula: 'price * quantity' } },
    { label: 'Shout', kind: 'formula', options: { formula: 'upper(title) & " " & stage' } },
  ])
  await refresh()
  await createRecords(
    owner,
    orders,
    { title: 'pen', price: 0.1, quantity: 3, stage: 'Open', due: '2026-03-01' },
    { title: 'ink', price: 7, quantity: 2, stage: 'Done' },
    { title: 'pad', price: 5 },
  )
})

const list = async (query: Record<string, string>, who = owner): Promise<Record<string, unknown>[]> => {
  const answer = await who.get(`${path('/records')}?${new URLSearchParams(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items.map(({ values }: { values: Record<string, unknown> }) => values)
}

const titles = async (query: Record<string, string>, who = owner) => (await list(query, who)).map(({ title }) => title)

describe('a formula field', () => {
  test('is calculated when a record is read, created or changed', async () => {
    expect((await list({})).map(({ total, shout }) => [total, shout])).toEqual([
      [0.3, 'PEN Open'],
      [14, 'INK Done'],
      [null, 'PAD '],
    ])
    const made = await owner.post(path('/records'), { values: { title: 'cup', price: 2, quantity: 5 } })
    expect(made.body.values).toMatchObject({ total: 10, shout: 'CUP ' })
    const changed = await owner.patch(path(`/records/${made.body.id}`), { values: { quantity: 6 } })
    expect(changed.body.values).toMatchObject({ total: 12 })
    expect((await owner.get(path(`/records/${made.body.id}`))).body.values).toMatchObject({ total: 12 })
    expect(await list({ fields: 'total', filter: 'title = "cup"' })).toEqual([{ total: 12 }])
  })

  test('is filtered, sorted, grouped and summarized like other fields', async () => {
    expect(await titles({ filter: 'total = 0.3' })).toEqual(['pen'])
    expect(await titles({ filter: 'total > 1 && shout ~ "done"' })).toEqual(['ink'])
    expect(await titles({ filter: 'total is empty' })).toEqual(['pad'])
    expect(await titles({ filter: 'total < price' })).toEqual([])
    expect(await titles({ sort: '-total' })).toEqual(['ink', 'pen', 'pad'])
    expect(await titles({ sort: 'shout' })).toEqual(['ink', 'pad', 'pen'])
    const { body } = await owner.get(`${path('/groups')}?by=shout&aggregates=count,sum(total),max(total)`)
    expect(body.groups.map(({ key, aggregates }: { key: object; aggregates: object }) => [key, aggregates])).toEqual([
      [{ shout: 'INK Done' }, { count: 1, 'sum(total)': 14, 'max(total)': 14 }],
      [{ shout: 'PAD ' }, { count: 1, 'sum(total)': null, 'max(total)': null }],
      [{ shout: 'PEN Open' }, { count: 1, 'sum(total)': 0.3, 'max(total)': 0.3 }],
    ])
    const paged = await owner.get(`${path('/records')}?sort=total&perPage=1`)
    expect(await titles({ sort: 'total', cursor: paged.body.nextCursor })).toEqual(['ink', 'pad'])
  })

  test('is searched while it doesn’t depend on the current time', async () => {
    expect(await titles({ search: '"ink done"' })).toEqual(['ink'])
    const edit = async (formula: string) => {
      const { status, text } = await owner.patch(path(`/fields/${fields['shout']?.id}`), { options: { formula } })
      expect(status, text).toBe(200)
    }
    await edit('title & "/" & quantity')
    expect(await titles({ search: '"ink done"' })).toEqual([])
    expect(await titles({ search: 'ink/2' })).toEqual(['ink'])
    await edit('title & "/" & year(today())')
    expect(await titles({ search: 'ink/2' })).toEqual([])
    await edit('upper(title) & " " & stage')
    expect(await titles({ search: '"ink done"' })).toEqual(['ink'])
  })

  test('of a missing linked record is empty, also if it would have a value without inputs', async () => {
    const lines = await defineCollection(owner, 'Lines', [
      { label: 'Name', kind: 'text' },
      { label: 'Order', kind: 'relation', options: { collection: orders.id } },
    ])
    expect((await addFormula('Slip', 'title & "/"')).status).toBe(201)
    const [id] = await createRecords(owner, orders, {})
    await createRecords(owner, lines, { name: 'alone' }, { name: 'linked', order: id })
    for (const sort of ['order.slip', '-order.slip']) {
      const { items } = (await owner.get(`${recordsPath(lines)}?sort=${sort}`)).body
      expect(items.map(({ values }: { values: { name: string } }) => values.name)).toEqual(['linked', 'alone'])
    }
  })

  test('keeps lists and groups up to date after its inputs change', async () => {
    const ask = async () => [
      await titles({ filter: 'total > 10', count: 'exact' }),
      (await owner.get(`${path('/groups')}?by=total`)).body.groups.length,
    ]
    expect(await ask()).toEqual([['ink'], 3])
    const [{ id }] = (await owner.get(`${path('/records')}?filter=title%20=%20%22pad%22`)).body.items
    await owner.patch(path(`/records/${id}`), { values: { quantity: 4 } })
    expect(await ask()).toEqual([['ink', 'pad'], 3])
  })

  test('is exported, and described as read-only', async () => {
    const { text } = await owner.get(path('/export.csv?fields=title,total,shout&sort=title'))
    expect(text.split('\r\n').slice(0, 3)).toEqual(['title,total,shout', 'ink,14,INK Done', 'pad,,PAD '])
    const { body } = await owner.get('/api/openapi.json')
    const schemas = Object.values(body.components.schemas) as { properties?: Record<string, object> }[]
    const described = schemas.flatMap(({ properties }) => properties?.['shout'] ?? [])
    expect(described.length).toBeGreaterThan(0)
    for (const one of described) expect(one).toMatchObject({ type: ['string', 'null'], readOnly: true })
  })

  test('can’t be written, required, unique or converted', async () => {
    const written = await owner.post(path('/records'), { values: { title: 'x', total: 5 } })
    expect([written.status, written.body.errors]).toEqual([
      422,
      [{ path: 'total', code: 'computed', message: 'Total is calculated. Leave it out.' }],
    ])
    for (const change of [{ required: true }, { unique: true }, { default: 1 }, { kind: 'number' }])
      expect((await owner.patch(path('/fields/total'), change)).status).toBe(422)
    expect((await owner.patch(path('/fields/price'), { kind: 'formula' })).status).toBe(422)
  })
})

describe('a formula', () => {
  test('keeps its fields when they are renamed', async () => {
    await owner.patch(path('/fields/price'), { name: 'unitPrice', label: 'Unit price' })
    await refresh()
    expect(fields['total']?.options.formula).toBe('unitPrice * quantity')
    expect(await titles({ filter: 'total = 14' })).toEqual(['ink'])
    expect((await owner.patch(path('/fields/total'), { label: 'Sum' })).status).toBe(200)
  })

  test('is checked when it is saved, with the position of the error', async () => {
    for (const [formula, message] of [
      ['price *', 'At character 8: Unexpected end of input: expected a value, a field or a function.'],
      ['price + prize', 'At character 9: There is no field “prize”. Did you mean “price”?'],
      ['upper(price)', 'At character 7: “text” of upper must be a text, not a number. Use to_text(…) to convert it.'],
      ['uper(title)', 'At character 1: There is no function “uper”. Did you mean “upper”?'],
      ['', 'At character 1: Unexpected end of input: expected a value, a field or a function.'],
    ] as const) {
      const answer = await addFormula('Wrong', formula)
      expect([answer.status, answer.body.errors?.[0]]).toEqual([
        422,
        { path: 'options.formula', code: 'invalid-formula', message },
      ])
    }
  })

  test('can use other formulas, but not itself', async () => {
    expect((await addFormula('Taxed', 'round(total * 1.2, 2)')).status).toBe(201)
    expect(await titles({ filter: 'taxed = 16.8' })).toEqual(['ink'])
    const answer = await owner.patch(path('/fields/total'), { options: { formula: 'taxed + price' } })
    expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
      422,
      'At character 1: A formula can’t refer to itself: Total → Taxed → Total.',
    ])
  })

  test('keeps the fields that it uses from being deleted or converted to another type', async () => {
    for (const answer of [
      await owner.delete(path('/fields/price')),
      await owner.patch(path('/fields/price'), { kind: 'text', acceptLoss: true }),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'in-use'])
    expect((await owner.delete(path('/fields/total'))).status).toBeLessThan(300)
    expect((await owner.delete(path('/fields/price'))).status).toBeLessThan(300)
  })

  test('comes back from the trash, but only with its fields', async () => {
    for (const name of ['total', 'price'])
      expect((await owner.delete(path(`/fields/${name}`))).status).toBeLessThan(300)
    const restore = (name: string) => owner.post(`/api/trash/definitions/${fields[name]?.id}/restore`)
    const early = await restore('total')
    expect([early.status, early.body.code]).toEqual([409, 'in-use'])
    expect((await restore('price')).status).toBeLessThan(300)
    expect((await restore('total')).status).toBeLessThan(300)
    expect(await titles({ filter: 'total = 14' })).toEqual(['ink'])
  })

  test('has another result after the formula that it uses has changed', async () => {
    expect((await addFormula('Copy', 'when_empty(total, total)')).status).toBe(201)
    expect((await owner.patch(path('/fields/total'), { options: { formula: 'title & price' } })).status).toBe(200)
    expect(await titles({ filter: 'copy = "ink7"' })).toEqual(['ink'])
  })

  test('computes the current time when it is read', async () => {
    expect((await addFormula('Late', 'due < today()')).status).toBe(201)
    expect(await titles({ filter: 'late = true' })).toEqual(['pen'])
  })
})

describe('a formula discloses its inputs, so it', () => {
  const reading = (limit: Grant['fields']): Grant => ({
    permission: 'records:read',
    collection: orders.id,
    ...(limit && { fields: limit }),
  })
  const idOf = (name: string): string => fields[name]?.id ?? ''

  test('is hidden from users who can’t read all of them', async () => {
    const reader = await app.asGranted([reading({ except: [idOf('price')] })])
    const [first = {}] = await list({}, reader)
    expect(Object.keys(first)).toEqual(['title', 'quantity', 'due', 'stage', 'shout'])
    const refused = await reader.get(`${path('/records')}?filter=total%20%3E%201`)
    expect([refused.status, refused.body.errors?.[0]?.message ?? refused.body.detail]).toEqual([
      400,
      expect.stringContaining('There is no field “total”'),
    ])
    expect(JSON.stringify((await reader.get(path())).body)).not.toMatch(/total|price/i)
  })

  test('is shown to them, without the formula, if a role grants it by name', async () => {
    const reader = await app.asGranted([reading({ only: [idOf('title'), idOf('total')] })])
    expect(await list({ sort: '-total' }, reader)).toEqual([
      { title: 'ink', total: 14 },
      { title: 'pen', total: 0.3 },
      { title: 'pad', total: null },
    ])
    const { body } = await reader.get(path())
    expect(body.fields.find(({ name }: FieldBody) => name === 'total').options).toEqual({
      formula: '',
      result: 'number',
    })
    expect(JSON.stringify(body)).not.toMatch(/price/i)
  })

  test('can only be defined by users who can read all of them', async () => {
    const manage: Grant = { permission: 'collections:manage', collection: orders.id }
    const manager = await app.asGranted([manage, reading({ except: [idOf('price')] })])
    const direct = await addFormula('Leak', 'price + 1', manager)
    expect([direct.status, direct.body.errors?.[0]?.message]).toEqual([
      422,
      'At character 1: There is no field “price”.',
    ])
    const other = await app.asGranted([manage, reading({ only: [idOf('title'), idOf('total')] })])
    expect((await addFormula('Leak', 'total + 1', other)).status).toBe(422)
    expect((await addFormula('Fine', 'len(title)', other)).status).toBe(201)
  })
})

test('a validation rule on a formula is checked when an input of the formula changes', async () => {
  const rule = { message: 'Too much.', when: null, then: 'total <= 20 || total is empty' }
  const saved = await owner.patch(path(), { rules: [rule] })
  expect(saved.status, saved.text).toBe(200)
  const [{ id }] = (await owner.get(`${path('/records')}?filter=title%20=%20%22ink%22`)).body.items
  const refused = await owner.patch(path(`/records/${id}`), { values: { price: 50 } })
  expect([refused.status, refused.body.errors?.[0]?.message]).toEqual([422, 'Too much.'])
  expect((await owner.patch(path(`/records/${id}`), { values: { price: 10 } })).status).toBe(200)
})
