import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { createRecords, defineCollection, type TestCollection } from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

let orders: TestCollection

const path = (rest = ''): string => `/api/collections/${orders.name}${rest}`

const idOf = (name: string): string => orders.fields[name] ?? ''

beforeEach(async () => {
  orders = await defineCollection(owner, 'Orders', [
    { label: 'Title', kind: 'text' },
    { label: 'Price', kind: 'number' },
    { label: 'Quantity', kind: 'number' },
    { label: 'Stage', kind: 'state', options: { choices: [{ name: 'Open' }, { name: 'Done' }] } },
    { label: 'Total', kind: 'formula', options: { formula: 'price * quantity' } },
  ])
  await createRecords(
    owner,
    orders,
    { title: 'pen', price: 0.1, quantity: 3 },
    { title: 'ink', price: 7, quantity: 2 },
    { title: 'paper', price: 5 },
  )
})

const ask = (filter: string, who = owner): Promise<Answer> =>
  who.get(`${path('/records')}?${new URLSearchParams({ filter, sort: 'title' })}`)

async function titles(filter: string, who = owner): Promise<string[]> {
  const answer = await ask(filter, who)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items.map(({ values }: { values: { title: string } }) => values.title)
}

const errorOf = ({ status, body }: Answer) => [status, body.errors?.[0]?.message ?? body.detail]

describe('a formula in a filter', () => {
  test('selects records by functions and arithmetic, alone and combined with comparisons', async () => {
    expect(await titles('len(title) > 3')).toEqual(['paper'])
    expect(await titles('price * quantity > 1 && title ~ "n"')).toEqual(['ink'])
    expect(await titles('(price + 1) * 2 < 3 || len(title) > 4')).toEqual(['paper', 'pen'])
    expect(await titles('total + 1 > 10')).toEqual(['ink'])
    expect(await titles('not(price > 1)')).toEqual(['pen'])
    expect(await titles('quantity -2 = 0')).toEqual(['ink'])
    expect(await titles('createdAt <= now() && upper(title) = "INK"')).toEqual(['ink'])
    expect(await titles('stage & "!" = "Open!"')).toEqual(['ink', 'paper', 'pen'])
  })

  test('is rejected with the position of the error', async () => {
    for (const [filter, message] of [
      [
        'title = "x" && len(price) > 3',
        'At character 20: “text” of len must be a text, not a number. Use to_text(…) to convert it.',
      ],
      ['len(titel) > 3', 'At character 5: There is no field “titel”. Did you mean “title”?'],
      [
        'len(title)',
        'At character 1: The result must be true or false. Compare it with a value, such as len(title) > 3.',
      ],
      ['price + > 3', 'At character 9: Unexpected “>”: expected a value, a field or a function.'],
      [
        'len(title) > @today',
        'At character 14: @today can’t be used with functions or arithmetic. Use today() or now().',
      ],
    ] as const)
      expect(errorOf(await ask(filter))).toEqual([400, message])
  })

  test('has a JSON form', async () => {
    const view = await owner.post(path('/views'), {
      name: 'Long',
      query: { filter: { any: [{ formula: 'len(title) > 3' }, { field: 'price', op: '=', value: 7 }] } },
    })
    expect([view.status, view.body.query?.filter]).toEqual([201, 'len(title) > 3 || price = 7'])
    const wrong = await owner.post(path('/views'), {
      name: 'Wrong',
      query: { filter: { formula: 'len(title) > 3 && price = 7' } },
    })
    expect(errorOf(wrong)).toEqual([400, 'Only conditions with functions or arithmetic can be formulas.'])
  })

  test('can’t use a hidden field, and matches no record in which a field is hidden', async () => {
    const reading = (more: Partial<Grant>): Grant => ({ permission: 'records:read', collection: orders.id, ...more })
    const blind = await app.asGranted([reading({ fields: { except: [idOf('price')] } })])
    expect(errorOf(await ask('price * 2 > 1', blind))).toEqual([400, 'At character 1: There is no field “price”.'])
    expect(errorOf(await ask('total * 2 > 1', blind))[0]).toBe(400)
    const partly = await app.asGranted([
      reading({ fields: { except: [idOf('price'), idOf('total')] } }),
      reading({ where: { field: idOf('title'), op: '=', value: 'ink' } }),
    ])
    expect(await titles('price * 1 > 0', partly)).toEqual(['ink'])
    expect(await titles('is_empty(price)', partly)).toEqual([])
    expect(await titles('not(price > 100)', partly)).toEqual(['ink'])
  })
})

describe('a formula as a stored condition', () => {
  const rename = async () => {
    const renamed = await owner.patch(path('/fields/price'), { name: 'unitPrice', label: 'Unit price' })
    expect(renamed.status, renamed.text).toBe(200)
  }

  test('is a validation rule, which survives renames', async () => {
    const rule = { message: 'Too much.', when: 'len(title) > 0', then: 'price * quantity <= 20 || is_empty(quantity)' }
    const saved = await owner.patch(path(), { rules: [rule] })
    expect(saved.status, saved.text).toBe(200)
    await rename()
    const { body } = await owner.get(path())
    expect(body.rules[0]).toMatchObject({
      when: { formula: 'len(title) > 0' },
      then: { any: [{ formula: 'unitPrice * quantity <= 20' }, { formula: 'is_empty(quantity)' }] },
    })
    const refused = await owner.post(path('/records'), { values: { title: 'gem', unitPrice: 21, quantity: 1 } })
    expect(errorOf(refused)).toEqual([422, 'Too much.'])
    const made = await owner.post(path('/records'), { values: { title: 'gem', unitPrice: 20, quantity: 1 } })
    expect(made.status, made.text).toBe(201)
  })

  test('is the guard of a transition', async () => {
    const [open, done] = (await owner.get(path())).body.fields.find(({ name }: { name: string }) => name === 'stage')
      .options.choices
    const workflow = {
      transitions: [{ name: 'Finish', from: open.id, to: done.id, when: 'price * quantity > 10' }],
    }
    const saved = await owner.patch(path(), { workflow })
    expect(saved.status, saved.text).toBe(200)
    const stored = (await owner.get(path())).body.workflow.transitions[0]
    expect(stored.when).toEqual({ formula: 'price * quantity > 10' })
    for (const [title, status] of [
      ['pen', 422],
      ['ink', 200],
    ] as const) {
      const [record] = (await ask(`title = "${title}"`)).body.items
      const moved = await owner.post(path(`/records/${record.id}/transitions`), { to: 'Done' })
      expect([title, moved.status]).toEqual([title, status])
    }
  })

  test('is a color rule and the filter of a view, which survive renames', async () => {
    const view = await owner.post(path('/views'), {
      name: 'Dear',
      query: { filter: 'price * 2 > 3' },
      look: { colors: [{ filter: 'round(price) = 7', color: 'red', field: 'price' }] },
    })
    expect(view.status, view.text).toBe(201)
    await rename()
    const { body } = await owner.get(path('/views'))
    expect(body.items[0]).toMatchObject({
      query: { filter: 'unitPrice * 2 > 3' },
      look: { colors: [{ filter: 'round(unitPrice) = 7', color: 'red', field: 'unitPrice' }] },
    })
  })

  test('is a row filter, which can use fields that the role can’t read', async () => {
    const reader = await app.asGranted([
      {
        permission: 'records:read',
        collection: orders.id,
        where: { formula: `len(${idOf('title')}) * ${idOf('price')} > 20` },
        fields: { only: [idOf('title')] },
      },
    ])
    expect(await titles('', reader)).toEqual(['ink', 'paper'])
  })

  test('is rejected in a grant if it reads options by name', async () => {
    const create = (where: string) =>
      owner.post('/api/policies', {
        name: `Formulas ${where}`,
        grants: [{ permission: 'records:read', collection: orders.id, where }],
      })
    expect(errorOf(await create('stage & "" = "Open"'))).toEqual([
      422,
      'At character 1: Can’t compare “stage” by option name, because options can be renamed. Use =, != or in.',
    ])
    expect((await create('len(title) > 3')).status).toBe(201)
  })

  test('matches nothing once a field of it has been deleted', async () => {
    const reader = await app.asGranted([
      { permission: 'records:read', collection: orders.id, where: { formula: `${idOf('gone')}x * 2 > 1` } },
    ])
    expect(await titles('', reader)).toEqual([])
  })
})
