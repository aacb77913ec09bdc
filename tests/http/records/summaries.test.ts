import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let orders: { readonly id: string; readonly name: string; readonly amount: string }

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const { body } = await owner.post('/api/collections', {
    label: 'Orders',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Amount', kind: 'number' },
      { label: 'Paid', kind: 'checkbox' },
    ],
  })
  const amount = body.fields.find((field: { name: string }) => field.name === 'amount').id
  orders = { id: body.id, name: body.name, amount }
  const create = [0.1, 0.2, 7, null].map((value, at) => ({
    values: { title: `Order ${at}`, amount: value, paid: at < 2 },
  }))
  expect((await owner.post(`/api/collections/${orders.name}/records/bulk`, { create })).status).toBe(200)
})
afterAll(() => app.close())

const sums = (who: Caller, query: Readonly<Record<string, string>>) =>
  who.get(`/api/collections/${orders.name}/sums?${new URLSearchParams(query)}`)

describe('list summaries', () => {
  test('cover all records that match the filter and search', async () => {
    const all = await sums(owner, { aggregates: 'count,sum(amount),avg(amount),min(amount),max(amount)' })
    expect(all.body).toEqual({
      count: 4,
      aggregates: {
        count: 4,
        'sum(amount)': 7.3,
        'avg(amount)': 2.43333333333333,
        'min(amount)': 0.1,
        'max(amount)': 7,
      },
    })
    expect((await sums(owner, { aggregates: 'sum(amount)', filter: 'paid = true' })).body).toEqual({
      count: 2,
      aggregates: { 'sum(amount)': 0.3 },
    })
    expect((await sums(owner, { aggregates: 'max(amount)', search: 'order 1' })).body.aggregates).toEqual({
      'max(amount)': 0.2,
    })
  })

  test('are empty for empty lists', async () => {
    const none = await sums(owner, { aggregates: 'count,sum(amount)', filter: 'amount > 1000' })
    expect(none.body).toEqual({ count: 0, aggregates: { count: 0, 'sum(amount)': null } })
    expect((await sums(owner, {})).body).toEqual({ count: 4, aggregates: {} })
  })

  test('are updated after every change', async () => {
    const made = await owner.post(`/api/collections/${orders.name}/records`, { values: { amount: 100 } })
    expect((await sums(owner, { aggregates: 'max(amount)' })).body).toEqual({
      count: 5,
      aggregates: { 'max(amount)': 100 },
    })
    await owner.delete(`/api/collections/${orders.name}/records/${made.body.id}`)
    expect((await sums(owner, { aggregates: 'max(amount)' })).body.aggregates).toEqual({ 'max(amount)': 7 })
  })

  test('cover only visible records, and reject hidden and non-numeric fields', async () => {
    const where = { field: 'amount', op: '<', value: 1 } as const
    const some = await app.asGranted([{ permission: 'records:read', collection: orders.id, where }])
    expect((await sums(some, { aggregates: 'sum(amount)' })).body).toEqual({
      count: 2,
      aggregates: { 'sum(amount)': 0.3 },
    })
    const blind = await app.asGranted([
      { permission: 'records:read', collection: orders.id, fields: { except: [orders.amount] } },
    ])
    const [hidden, unknown, text] = await Promise.all([
      sums(blind, { aggregates: 'sum(amount)' }),
      sums(blind, { aggregates: 'sum(absent)' }),
      sums(owner, { aggregates: 'sum(title)' }),
    ])
    expect([hidden.status, unknown.status, text.status]).toEqual([400, 400, 400])
    expect(hidden.body.detail.replace('amount', 'absent')).toBe(unknown.body.detail)
  })
})
