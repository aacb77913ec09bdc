import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: 100 })
  owner = await app.asOwner()
})
afterAll(() => app.close())

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'shipped' }] } },
  { label: 'Tracking', kind: 'text' },
  { label: 'Amount', kind: 'number' },
]
const TRACKED = {
  when: 'status = "shipped"',
  then: 'tracking is not empty',
  message: 'Shipped orders need a tracking number.',
  field: 'tracking',
}
const POSITIVE = { then: 'amount > 0 || amount is empty', message: 'An amount is above zero.' }

async function orders(rules: readonly object[] = [TRACKED], fields: readonly object[] = FIELDS) {
  count += 1
  const made = await owner.post('/api/collections', { label: `Orders ${count}`, fields, rules })
  expect(made.status, made.text).toBe(201)
  return made.body
}

const recordsAt = (name: string) => `/api/collections/${name}/records`

async function add(name: string, values: object, by: Caller = owner): Promise<string> {
  const made = await by.post(recordsAt(name), { values })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

const all = async (name: string, query = '') => (await owner.get(`${recordsAt(name)}?perPage=500${query}`)).body.items

const REFUSED = {
  code: 'rule-broken',
  errors: [{ path: 'tracking', code: 'rule-broken', message: TRACKED.message }],
}

function expectRefused(answer: Answer): void {
  expect(answer.status, answer.text).toBe(422)
  expect(answer.body).toMatchObject(REFUSED)
}

describe('a validation rule', () => {
  test('rejects an invalid new record with an error on the field, and accepts a valid one', async () => {
    const { name } = await orders()
    expectRefused(await owner.post(recordsAt(name), { values: { status: 'shipped' } }))
    expect(await all(name)).toEqual([])
    await add(name, { status: 'open' })
    await add(name, { status: 'shipped', tracking: 'T1' })
  })

  test('rejects an invalid change to either field of the rule', async () => {
    const { name } = await orders()
    const open = await add(name, { status: 'open' })
    const sent = await add(name, { status: 'shipped', tracking: 'T1' })
    expectRefused(await owner.patch(`${recordsAt(name)}/${open}`, { values: { status: 'shipped' } }))
    expectRefused(await owner.patch(`${recordsAt(name)}/${sent}`, { values: { tracking: '' } }))
    const both = await owner.patch(`${recordsAt(name)}/${open}`, { values: { status: 'shipped', tracking: 'T2' } })
    expect(both.status).toBe(200)
    expect(both.body.version).toBe(2)
  })

  test('rejects an entire bulk change and reports the number of violations', async () => {
    const { name } = await orders()
    const kept = await add(name, { title: 'kept', status: 'shipped', tracking: 'T1' })
    const answer = await owner.post(`${recordsAt(name)}/bulk`, {
      create: [{ values: { status: 'shipped' } }, { values: { status: 'open' } }],
      update: [{ id: kept, values: { tracking: null } }],
    })
    expectRefused(answer)
    expect(answer.body.detail).toContain('2 of 3 records')
    expect((await all(name)).map((record: { values: object }) => record.values)).toEqual([
      expect.objectContaining({ tracking: 'T1' }),
    ])
  })

  test('rejects a bulk change by query', async () => {
    const { name } = await orders()
    await add(name, { tracking: 'T1' })
    await add(name, {})
    const ship = (filter: string) =>
      owner.post(`${recordsAt(name)}/bulk`, { where: { filter }, update: { values: { status: 'shipped' } } })
    expectRefused(await ship(''))
    expect((await ship('tracking is not empty')).body).toMatchObject({ updated: 1 })
  })

  test('rejects a transition of a record that violates it', async () => {
    const state = { label: 'State', kind: 'state', options: { choices: [{ name: 'packed' }, { name: 'sent' }] } }
    const { name, fields } = await orders(
      [{ when: 'state = "sent"', then: 'tracking is not empty', message: TRACKED.message, field: 'tracking' }],
      [...FIELDS, state],
    )
    const [packed, sent] = fields.at(-1).options.choices
    const transitions = [{ name: 'Send', from: packed.id, to: sent.id }]
    const managed = await owner.patch(`/api/collections/${name}`, { workflow: { transitions } })
    expect(managed.status, managed.text).toBe(200)
    const parcel = await add(name, {})
    const send = () => owner.post(`${recordsAt(name)}/${parcel}/transitions`, { to: 'sent' })
    expectRefused(await send())
    await owner.patch(`${recordsAt(name)}/${parcel}`, { values: { tracking: 'T' } })
    expect((await send()).status).toBe(200)
  })

  test('is enforced by a job, which skips and reports violations', async () => {
    const { name } = await orders()
    const count = 150
    const rows = Array.from({ length: count }, (_, at) => (at > 0 ? `t${at},T${at}` : 'first,'))
    expect((await importInto(owner, name, `title,tracking\n${rows.join('\n')}\n`)).body.state).toBe('done')
    const begun = await owner.post(`${recordsAt(name)}/bulk`, { where: {}, update: { values: { status: 'shipped' } } })
    expect(begun.status, begun.text).toBe(202)
    let job = await owner.get(`/api/jobs/${begun.body.job}`)
    while (job.body.state === 'running') job = await owner.get(`/api/jobs/${begun.body.job}`)
    expect(job.body).toMatchObject({
      state: 'done',
      done: count - 1,
      refused: [{ message: TRACKED.message, count: 1 }],
    })
    const left = await owner.get(`${recordsAt(name)}?filter=${encodeURIComponent('status is empty')}`)
    expect(left.body.items.map((item: { readonly id: string }) => item.id)).toEqual(job.body.refused[0].records)
  })

  test('allows editing unrelated fields of an invalid record', async () => {
    const { name } = await orders([])
    const old = await add(name, { status: 'shipped' })
    await owner.patch(`/api/collections/${name}`, { rules: [TRACKED] })
    expect((await owner.patch(`${recordsAt(name)}/${old}`, { values: { title: 'New' } })).status).toBe(200)
    expect((await owner.patch(`${recordsAt(name)}/${old}`, { values: { status: 'open' } })).status).toBe(200)
    expectRefused(await owner.patch(`${recordsAt(name)}/${old}`, { values: { status: 'shipped' } }))
  })

  test('can read a linked record, and lists violations caused by its deletion', async () => {
    const customers = await orders(
      [],
      [
        { label: 'Name', kind: 'text' },
        { label: 'Blocked', kind: 'checkbox' },
      ],
    )
    const bills = await orders(
      [
        { then: 'customer is not empty', message: 'A bill is for somebody.', field: 'customer' },
        { when: 'customer is not empty', then: 'customer.blocked = false', message: 'This customer is blocked.' },
      ],
      [
        { label: 'Title', kind: 'text' },
        { label: 'Customer', kind: 'relation', options: { collection: customers.id } },
      ],
    )
    const good = await add(customers.name, { name: 'Good' })
    const bad = await add(customers.name, { name: 'Bad', blocked: true })
    const bill = await add(bills.name, { customer: good })
    const refused = await owner.post(recordsAt(bills.name), { values: { customer: bad } })
    expect(refused.body).toMatchObject({ errors: [{ path: '', message: 'This customer is blocked.' }] })
    expect((await owner.delete(`${recordsAt(customers.name)}/${good}`)).status).toBe(204)
    expect(await all(bills.name, `&breaks=${bills.rules[0].id}`)).toMatchObject([{ id: bill }])
  })

  test('applies to all records if it has no condition', async () => {
    const { name } = await orders([POSITIVE])
    const refused = await owner.post(recordsAt(name), { values: { amount: 0 } })
    expect(refused.body).toMatchObject({ errors: [{ path: '', message: POSITIVE.message }] })
    await add(name, {})
  })
})

describe('the validation rules of a collection', () => {
  test('are stored with field IDs and survive renaming', async () => {
    const { name, fields, rules } = await orders()
    const [, status, tracking] = fields
    const choices = status.options.choices.map((choice: { id: string; name: string }) => ({
      ...choice,
      name: choice.name === 'shipped' ? 'on its way' : choice.name,
    }))
    await owner.patch(`/api/collections/${name}/fields/${status.id}`, { name: 'state', options: { choices } })
    await owner.patch(`/api/collections/${name}/fields/${tracking.id}`, { name: 'parcel' })
    const shown = await owner.get(`/api/collections/${name}`)
    expect(shown.body.rules).toEqual([
      {
        id: rules[0].id,
        when: { field: 'state', op: '=', value: 'on its way' },
        then: { field: 'parcel', op: 'is not empty' },
        message: TRACKED.message,
        field: 'parcel',
      },
    ])
    const answer = await owner.post(recordsAt(name), { values: { state: 'on its way' } })
    expect(answer.body).toMatchObject({ errors: [{ path: 'parcel', message: TRACKED.message }] })
  })

  test('keep their IDs when updated, and report how many records violate a new rule', async () => {
    const { name, rules } = await orders()
    for (const amount of [1, -1, -2]) await add(name, { amount })
    const changed = await owner.patch(`/api/collections/${name}`, { rules: [{ ...rules[0], message: 'M' }, POSITIVE] })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.version).toBe(2)
    expect(changed.body.rules).toMatchObject([{ id: rules[0].id, message: 'M' }, { message: POSITIVE.message }])
    const [, positive] = changed.body.rules
    expect(changed.body.broken).toEqual([{ rule: positive.id, count: 2, countIs: 'exact' }])
    expect(
      (await all(name, `&breaks=${positive.id}`)).map((each: { values: { amount: number } }) => each.values.amount),
    ).toEqual([-1, -2])
    const removed = await owner.patch(`/api/collections/${name}`, { rules: [] })
    expect(removed.body.rules).toBeUndefined()
    expect(removed.body.broken).toBeUndefined()
  })

  test('are rejected with the position of the error if invalid', async () => {
    const { name, version } = await orders([])
    const rules = [
      { then: 'amount >> 2', message: 'a' },
      { when: 'colour = "red"', then: 'amount > 2', message: ' ', field: 'size' },
      { id: 'nobody', then: 'createdBy = @me', message: 'b' },
      { then: '', message: 'c' },
      { then: { field: 'status', op: '=', value: 'lost' }, message: 'd' },
    ]
    const answer = await owner.patch(`/api/collections/${name}`, { rules })
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('definition-invalid')
    expect(answer.body.errors).toMatchObject([
      { path: 'rules.0.then', code: 'invalid-filter', position: 8 },
      { path: 'rules.1.message', code: 'required' },
      { path: 'rules.1.field', code: 'unknown-field' },
      { path: 'rules.1.when', code: 'invalid-filter', position: 0 },
      { path: 'rules.2.id', code: 'unknown-rule' },
      { path: 'rules.2.then', code: 'invalid-filter', message: expect.stringContaining('@me') },
      { path: 'rules.3.then', code: 'required' },
      { path: 'rules.4.then', code: 'invalid-filter' },
    ])
    expect((await owner.get(`/api/collections/${name}`)).body.version).toBe(version)
  })

  test('protect the fields, options and types they use, including through relations', async () => {
    const target = await orders()
    const pointing = await orders(
      [{ then: 'order.amount > 0', message: 'Only what costs something is paid.' }],
      [{ label: 'Order', kind: 'relation', options: { collection: target.id } }],
    )
    const at = (name: string, field: string) => `/api/collections/${name}/fields/${field}`
    const choices = target.fields[1].options.choices.slice(0, 1)
    const refused = [
      await owner.delete(at(target.name, 'tracking')),
      await owner.delete(at(target.name, 'amount')),
      await owner.delete(at(pointing.name, 'order')),
      await owner.patch(at(target.name, 'amount'), { kind: 'rich-text' }),
      await owner.patch(at(target.name, 'status'), { options: { choices }, acceptLoss: true }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
    expect(refused[0]?.body.detail).toContain(TRACKED.message)
    expect(refused[1]?.body.detail).toContain('Only what costs something is paid.')
    expect((await owner.delete(at(target.name, 'title'))).status).toBe(200)
  })

  test('can be changed only with permission to manage the collection', async () => {
    const { name, id, rules } = await orders()
    const reader = await app.asGranted([{ permission: 'records:read', collection: id }])
    expect((await reader.get(`${recordsAt(name)}?breaks=${rules[0].id}`)).status).toBe(403)
    expect((await owner.get(`${recordsAt(name)}?breaks=nobody`)).body).toMatchObject({ errors: [{ path: 'breaks' }] })
  })
})

describe('a validation rule that uses a hidden field', () => {
  const grants = (collection: string, fields: Grant['fields']): Grant[] =>
    (['records:read', 'records:create', 'records:update'] as const).map((permission) => ({
      permission,
      collection,
      ...(fields && { fields }),
    }))

  test('is enforced, but hidden from users who cannot read the field', async () => {
    const { name, id, fields } = await orders()
    const tracking = fields[2].id
    const blind = await app.asGranted(grants(id, { except: [tracking] }))
    const seeing = await app.asGranted(grants(id, undefined))
    expect((await blind.get(`/api/collections/${name}`)).body.rules).toBeUndefined()
    expect((await seeing.get(`/api/collections/${name}`)).body.rules).toHaveLength(1)
    const refused = await blind.post(recordsAt(name), { values: { status: 'shipped' } })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { path: '', code: 'rule-broken', message: expect.stringContaining('Ask an owner') },
    ])
    expect(refused.text).not.toMatch(/tracking/i)
    expectRefused(await seeing.post(recordsAt(name), { values: { status: 'shipped' } }))
  })

  test("can't be used by a manager of another collection to read the field", async () => {
    const secrets = await orders(
      [],
      [
        { label: 'Name', kind: 'text' },
        { label: 'Vault', kind: 'text' },
      ],
    )
    const relation = { label: 'Owner', kind: 'relation', options: { collection: secrets.id } }
    const rule = { then: 'owner is empty || owner.vault = "gold"', message: 'Only gold.' }
    const { name, id, rules } = await orders([rule, TRACKED], [...FIELDS, relation])
    const manager = await app.asGranted([
      { permission: 'collections:manage', collection: id },
      ...grants(id, undefined),
      { permission: 'records:read', collection: secrets.id, fields: { except: [secrets.fields[1].id] } },
    ])
    const shown = await manager.get(`/api/collections/${name}`)
    expect(shown.body.rules).toMatchObject([{ message: TRACKED.message }])
    expect(shown.text).not.toMatch(/vault|gold/i)
    expect((await manager.get(`${recordsAt(name)}?breaks=${rules[0].id}`)).body).toMatchObject({
      errors: [{ code: 'unknown-rule' }],
    })

    const path = `/api/collections/${name}`
    const guessed = await manager.patch(path, { rules: [{ then: 'owner.vault = "lead"', message: 'm' }] })
    expect(guessed.status).toBe(422)
    const absent = await manager.patch(path, { rules: [{ then: 'owner.fault = "lead"', message: 'm' }] })
    expect(guessed.body.errors[0].message.replace('vault', 'fault')).toBe(absent.body.errors[0].message)

    expect((await manager.patch(path, { rules: [] })).body.rules).toBeUndefined()
    expect((await owner.get(path)).body.rules).toMatchObject([{ message: rule.message }])
    const other = await app.asGranted([{ permission: 'collections:manage', collection: secrets.id }])
    const removed = await other.delete(`/api/collections/${secrets.name}/fields/vault`)
    expect(removed.status).toBe(409)
    expect(removed.text).not.toMatch(/gold/i)
  })

  test('is also enforced through a relation', async () => {
    const customers = await orders(
      [],
      [
        { label: 'Name', kind: 'text' },
        { label: 'Secret', kind: 'checkbox' },
      ],
    )
    const bills = await orders(
      [{ when: 'customer is not empty', then: 'customer.secret = false', message: 'A secret customer.' }],
      [{ label: 'Customer', kind: 'relation', options: { collection: customers.id } }],
    )
    const secret = await add(customers.name, { name: 'X', secret: true })
    const bounded: Grant = {
      permission: 'records:read',
      collection: customers.id,
      where: { field: 'name', op: '=', value: 'X' },
    }
    const some = await app.asGranted([...grants(bills.id, undefined), bounded])
    const refused = await some.post(recordsAt(bills.name), { values: { customer: secret } })
    expect(refused.status).toBe(422)
    expect(refused.text).not.toMatch(/secret/i)
  })
})

describe('an import with validation rules', () => {
  const csv = 'title,status,tracking\na,open,\nb,shipped,\nc,shipped,T3\n'

  test('skips violating rows and lists them in the error file', async () => {
    const { name } = await orders()
    const done = await importInto(owner, name, csv, '?onBadRow=skip')
    expect(done.body, done.text).toMatchObject({ state: 'done', progress: { rowsStored: 2, rowsRefused: 1 } })
    expect((await all(name)).map((each: { values: { title: string } }) => each.values.title)).toEqual(['a', 'c'])
    const errors = await owner.get(`/api/imports/${done.body.id}/errors.csv`)
    expect(errors.text).toContain(`Tracking: ${TRACKED.message}`)
    expect(errors.text.split('\n').filter((line) => line.startsWith('b,'))).toHaveLength(1)
  })

  test("stores nothing if violating rows can't be skipped", async () => {
    const { name } = await orders()
    const done = await importInto(owner, name, csv, '')
    expect(done.body, done.text).toMatchObject({ state: 'failed', failure: '1 of 3 rows have errors.' })
    expect(await all(name)).toEqual([])
  })

  const TWO = [TRACKED, { when: 'status = "shipped"', then: 'amount > 0', message: 'What is shipped costs something.' }]
  const changes = 'title,status,tracking\na,shipped,\nb,shipped,T2\n'

  test('that updates records skips and reports violating ones', async () => {
    const { name } = await orders(TWO)
    const kept = await add(name, { title: 'a', status: 'shipped', tracking: 'T1', amount: 1 })
    await owner.patch(`${recordsAt(name)}/${kept}`, { values: { status: 'open', amount: null } })
    await add(name, { title: 'b', amount: 2 })
    const done = await importInto(owner, name, changes, '?key=title&onBadRow=skip')
    expect(done.body, done.text).toMatchObject({
      state: 'done',
      progress: { rowsStored: 1, rowsUpdated: 1, rowsRefused: 1 },
    })
    const [first, second] = await all(name)
    expect(first).toMatchObject({ id: kept, version: 2, values: { status: 'open', tracking: 'T1' } })
    expect(second).toMatchObject({ version: 2, values: { status: 'shipped', tracking: 'T2' } })
    const errors = await owner.get(`/api/imports/${done.body.id}/errors.csv`)
    expect(errors.text).toContain(`Tracking: ${TRACKED.message} What is shipped costs something.`)
  })

  test('that updates records without skipping changes nothing and reports violations', async () => {
    const { name } = await orders()
    for (const title of ['a', 'b']) await add(name, { title })
    const done = await importInto(owner, name, changes, '?key=title')
    expect(done.body, done.text).toMatchObject({ state: 'failed', failure: '1 of 2 rows have errors.' })
    expect(await all(name)).toMatchObject([{ values: { status: null } }, { values: { status: null } }])
    expect((await owner.get(`/api/imports/${done.body.id}/errors.csv`)).text).toContain(TRACKED.message)
  })

  test('restores previous values when undone, valid or not', async () => {
    const { name } = await orders([])
    await add(name, { title: 'a', status: 'shipped' })
    await owner.patch(`/api/collections/${name}`, { rules: [TRACKED] })
    const csv = 'title,status,tracking\na,shipped,T\nb,shipped,\n'
    const ended = await importInto(owner, name, csv, '?key=title')
    expect(ended.body.state).toBe('failed')
    expect(await all(name)).toMatchObject([{ values: { tracking: null } }])
  })
})
