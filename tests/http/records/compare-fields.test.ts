import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
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

const options = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Alias', kind: 'text' },
  { label: 'Start', kind: 'date' },
  { label: 'End', kind: 'date' },
  { label: 'Amount', kind: 'number' },
  { label: 'Paid', kind: 'number' },
  { label: 'Stage', kind: 'select', options: options('low', 'high') },
  { label: 'Former', kind: 'select', options: options('high', 'gone', 'low') },
  { label: 'Holder', kind: 'user' },
  { label: 'Readers', kind: 'user', options: { many: true } },
  { label: 'Sent at', name: 'sentAt', kind: 'date-time' },
]
const ORDERED = { when: 'start is not empty && end is not empty', then: 'end >= start', message: 'It ends too early.' }

type Bookings = {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly records: string
  readonly rules: readonly { readonly id: string }[]
  readonly field: (name: string) => string
}

async function bookings(more: object = {}): Promise<Bookings> {
  count += 1
  const made = await owner.post('/api/collections', { label: `Bookings ${count}`, fields: FIELDS, ...more })
  expect(made.status, made.text).toBe(201)
  const { id, name, fields, rules } = made.body
  const path = `/api/collections/${name}`
  const idOf = (wanted: string): string => fields.find((each: { name: string }) => each.name === wanted)?.id
  return { id, name, path, records: `${path}/records`, rules, field: idOf }
}

async function add({ records }: Bookings, values: object): Promise<string> {
  const made = await owner.post(records, { values })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

const ask = (by: Caller, { records }: Bookings, filter: string): Promise<Answer> =>
  by.get(`${records}?perPage=500&filter=${encodeURIComponent(filter)}`)

async function titles(filter: string, of: Bookings, by: Caller = owner): Promise<string> {
  const answer = await ask(by, of, filter)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items.map((item: { values: { title: string } }) => item.values.title).join('')
}

describe('comparing two fields in a filter', () => {
  test.each([
    ['end >= start', 'ab'],
    ['end > start', 'a'],
    ['end < start', 'c'],
    ['start <= end', 'ab'],
    ['end = start', 'b'],
    ['end != start', 'acde'],
    ['paid <= amount', 'ab'],
    ['title = alias', 'a'],
    ['alias != title', 'bcde'],
    ['stage = former', 'b'],
    ['stage != former', 'acde'],
    ['holder = createdBy', 'a'],
    ['holder != createdBy', 'bcde'],
    ['readers = holder', 'a'],
    ['holder = readers', 'a'],
    ['sentAt < createdAt', 'a'],
    ['createdBy = updatedBy && end > start', 'a'],
    ['(end = start || paid > amount)', 'bc'],
  ])('%s finds %s', async (filter, found) => {
    const of = await prepared()
    expect(await titles(filter, of)).toBe(found)
  })

  test('also works as a condition tree', async () => {
    const of = await prepared()
    const selected = { where: { filter: { field: 'end', op: '<', value: { field: of.field('start') } } } }
    const changed = await owner.post(`${of.records}/bulk`, { ...selected, update: { values: { alias: 'late' } } })
    expect(changed.body).toMatchObject({ updated: 1 })
    expect(await titles('alias = "late"', of)).toBe('c')
  })

  test("follows relations on both sides, within the reader's permissions", async () => {
    const of = await prepared()
    const made = await owner.post(`${of.path}/fields`, {
      label: 'Parent',
      kind: 'relation',
      options: { collection: of.id },
    })
    expect(made.status, made.text).toBe(201)
    const all = await ask(owner, of, '')
    const ids: string[] = all.body.items.map((item: { id: string }) => item.id)
    const [a, b, c] = ids
    for (const [record, parent] of [
      [a, a],
      [b, a],
      [c, b],
    ] as const) {
      await owner.patch(`${of.records}/${record}`, { values: { parent } })
    }
    expect(await titles('parent = id', of)).toBe('a')
    expect(await titles('parent != id', of)).toBe('bcde')
    expect(await titles('end <= parent.end', of)).toBe('abc')
    expect(await titles('end < parent.end', of)).toBe('b')
    expect(await titles('parent.end > start', of)).toBe('ab')
    expect(await titles('parent.parent = parent', of)).toBe('ab')
    expect(await titles('parent.stage >= stage', of)).toBe('ab')
    const reader = await app.asGranted([
      { permission: 'records:read', collection: of.id, where: { field: 'title', op: '!=', value: 'a' } },
    ])
    expect(await titles('parent.end >= end', of, reader)).toBe('c')
    expect(await titles('parent = id', of, reader)).toBe('')
  })

  test.each([
    ['end >= amount', 7, /“end” contains a date and “amount” a number/],
    ['title = amount', 8, /“title” contains a text and “amount” a number/],
    ['end <= sentAt', 7, /“end” contains a date and “sentAt” a date and time.* time zone/],
    ['stage < former', 8, /“stage” and “former” have different options/],
    ['holder < createdBy', 7, /“holder” contains people, which < doesn’t support/],
    ['end >= begin', 7, /There is no field “begin”/],
    ['stage = low', 8, /no field “low”.*"low"/],
    ['title ~ alias', 8, /~ needs text in double quotes: ~ "alias"/],
    ['end = null', 6, /is empty/],
    ['end between start and start', 12, /value/],
    ['end in (start)', 8, /value/],
  ])('rejects %s with its position', async (filter, position, message) => {
    const answer = await ask(owner, await bookings(), filter)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid-filter', position })
    expect(answer.body.detail).toMatch(message)
  })

  test('treats an unreadable field on the right side as unknown', async () => {
    const of = await prepared()
    const reader = await app.asGranted([
      { permission: 'records:read', collection: of.id, fields: { except: [of.field('paid')] } },
    ])
    for (const right of ['paid', of.field('paid')]) {
      const [hidden, absent] = await Promise.all([
        ask(reader, of, `amount >= ${right}`),
        ask(reader, of, 'amount >= paix'),
      ])
      expect(hidden.status).toBe(400)
      expect(hidden.text.replaceAll(right, 'paix').replaceAll(hidden.body.requestId, '')).toBe(
        absent.text.replaceAll(absent.body.requestId, ''),
      )
    }
  })

  test('treats the right side as empty in records where its field is hidden', async () => {
    const of = await prepared()
    const read = (fields: Grant['fields'], where?: Grant['where']): Grant => ({
      permission: 'records:read',
      collection: of.id,
      ...(fields && { fields }),
      ...(where && { where }),
    })
    const reader = await app.asGranted([
      read({ except: [of.field('start')] }),
      read({ only: [of.field('start')] }, { field: 'title', op: '=', value: 'b' }),
    ])
    expect(await titles('end >= start', of, reader)).toBe('b')
    expect(await titles('start <= end', of, reader)).toBe('b')
    expect(await titles('end != start', of, reader)).toBe('acde')
  })
})

/** Five bookings: a is valid, b ends when it starts, c ends before it starts, d has no end, e has no values. */
async function prepared(): Promise<Bookings> {
  const of = await bookings()
  const { body: signedIn } = await owner.get('/api/auth/user')
  const me = signedIn.user
  await add(of, {
    title: 'a',
    alias: 'a',
    start: '2026-03-01',
    end: '2026-03-05',
    amount: 10,
    paid: 9.5,
    stage: 'low',
    former: 'high',
    holder: me.id,
    readers: [me.id],
    sentAt: '2020-01-01T00:00:00Z',
  })
  await add(of, {
    title: 'b',
    alias: 'B',
    start: '2026-03-01',
    end: '2026-03-01',
    amount: 10,
    paid: 10,
    stage: 'low',
    former: 'low',
    sentAt: '2090-01-01T00:00:00Z',
  })
  await add(of, { title: 'c', start: '2026-03-02', end: '2026-03-01', amount: 1, paid: 1.5, former: 'gone' })
  await add(of, { title: 'd', start: '2026-03-02', amount: 1, stage: 'high' })
  await add(of, { title: 'e' })
  return of
}

describe('comparing two fields in a validation rule', () => {
  const REFUSED = { code: 'rule-broken', errors: [{ path: 'end', code: 'rule-broken', message: ORDERED.message }] }
  const ruled = () => bookings({ rules: [{ ...ORDERED, field: 'end' }] })

  function expectRefused(answer: Answer): void {
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body).toMatchObject(REFUSED)
  }

  test('applies to new records and to changes on either side', async () => {
    const of = await ruled()
    expectRefused(await owner.post(of.records, { values: { start: '2026-03-02', end: '2026-03-01' } }))
    const id = await add(of, { start: '2026-03-01', end: '2026-03-02' })
    expectRefused(await owner.patch(`${of.records}/${id}`, { values: { end: '2026-02-28' } }))
    expectRefused(await owner.patch(`${of.records}/${id}`, { values: { start: '2026-03-03' } }))
    expect((await owner.patch(`${of.records}/${id}`, { values: { start: '2026-03-02' } })).status).toBe(200)
    expect((await owner.patch(`${of.records}/${id}`, { values: { end: null } })).status).toBe(200)
  })

  test('applies to bulk changes by ID and by query, and to imports', async () => {
    const of = await ruled()
    const id = await add(of, { title: 'a', start: '2026-03-01', end: '2026-03-02' })
    expectRefused(await owner.post(`${of.records}/bulk`, { update: [{ id, values: { start: '2027-01-01' } }] }))
    const where = { filter: 'end is not empty' }
    expectRefused(await owner.post(`${of.records}/bulk`, { where, update: { values: { start: '2027-01-01' } } }))
    const rows = 'title,start,end\nx,2026-03-02,2026-03-01\ny,2026-03-02,2026-03-03\n'
    expect((await importInto(owner, of.name, rows)).body.state).toBe('failed')
    const skipping = await importInto(owner, of.name, rows, '?onBadRow=skip')
    expect(skipping.body, skipping.text).toMatchObject({ state: 'done' })
    expect(await titles('', of)).toBe('ay')
  })

  test('is enforced by a job, which skips violating records', async () => {
    const of = await ruled()
    const rows = Array.from({ length: 150 }, (_, at) => (at === 7 ? 'x,2026-01-01' : `t,2026-05-01`))
    expect((await importInto(owner, of.name, `title,end\n${rows.join('\n')}\n`)).body.state).toBe('done')
    const begun = await owner.post(`${of.records}/bulk`, { where: {}, update: { values: { start: '2026-03-01' } } })
    expect(begun.status, begun.text).toBe(202)
    let job = await owner.get(`/api/jobs/${begun.body.job}`)
    while (job.body.state === 'running') job = await owner.get(`/api/jobs/${begun.body.job}`)
    expect(job.body).toMatchObject({ state: 'done', done: 149, refused: [{ message: ORDERED.message, count: 1 }] })
    expect(await titles('start is empty', of)).toBe('x')
  })

  test('counts and lists violations, and survives renaming both fields', async () => {
    const of = await prepared()
    const changed = await owner.patch(of.path, { rules: [{ ...ORDERED, field: 'end' }] })
    const [rule] = changed.body.rules
    expect(changed.body.broken).toEqual([{ rule: rule.id, count: 1, countIs: 'exact' }])
    await owner.patch(`${of.path}/fields/${of.field('start')}`, { name: 'begin' })
    await owner.patch(`${of.path}/fields/${of.field('end')}`, { name: 'finish' })
    const [shown] = (await owner.get(of.path)).body.rules
    expect(shown.then).toEqual({ field: 'finish', op: '>=', value: { field: 'begin' } })
    const listed = await owner.get(`${of.records}?breaks=${rule.id}`)
    expect(listed.body.items).toMatchObject([{ values: { title: 'c' } }])
  })

  test('prevents deleting the field on the right side or changing its type', async () => {
    const of = await ruled()
    const start = `${of.path}/fields/${of.field('start')}`
    expect((await owner.delete(start)).status).toBe(409)
    const changed = await owner.patch(start, { kind: 'date-time' })
    expect([changed.status, changed.body.code]).toEqual([409, 'in-use'])
    expect((await owner.delete(`${of.path}/fields/${of.field('paid')}`)).status).toBe(200)
  })

  test("is hidden from users who can't read the field on the right side", async () => {
    const of = await ruled()
    const can = (permission: Permission): Grant => ({
      permission,
      collection: of.id,
      fields: { except: [of.field('start')] },
    })
    const id = await add(of, { start: '2026-03-01', end: '2026-03-02' })
    const blind = await app.asGranted([can('records:read'), can('records:update')])
    expect((await blind.get(of.path)).body.rules).toBeUndefined()
    const refused = await blind.patch(`${of.records}/${id}`, { values: { end: '2026-02-01' } })
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain(ORDERED.message)
    expect(refused.text).not.toMatch(/start/i)
  })
})

describe('comparing two fields in guards, row filters and views', () => {
  test('allows a transition only while its guard is met', async () => {
    const of = await bookings({
      fields: [...FIELDS, { label: 'State', kind: 'state', options: options('open', 'closed') }],
    })
    const { body } = await owner.get(of.path)
    const [open, closed] = body.fields.at(-1).options.choices
    const transitions = [{ name: 'Close', from: open.id, to: closed.id, when: 'paid >= amount' }]
    const managed = await owner.patch(of.path, { workflow: { transitions } })
    expect(managed.status, managed.text).toBe(200)
    expect(managed.body.workflow.transitions[0].when).toEqual({ field: 'paid', op: '>=', value: { field: 'amount' } })
    const id = await add(of, { amount: 10, paid: 9 })
    const close = () => owner.post(`${of.records}/${id}/transitions`, { to: 'closed' })
    expect((await close()).status).toBeGreaterThanOrEqual(400)
    await owner.patch(`${of.records}/${id}`, { values: { paid: 10 } })
    expect((await close()).status).toBe(200)
  })

  test('limits reads and writes by the current values of both fields', async () => {
    const of = await prepared()
    const policy = await owner.post('/api/policies', {
      name: `Paid up ${count}`,
      grants: (['records:read', 'records:update'] as const).map((permission) => ({
        permission,
        collection: of.name,
        where: 'paid <= amount',
      })),
    })
    expect(policy.status, policy.text).toBe(201)
    expect(policy.body.grants[0].where).toEqual({
      field: of.field('paid'),
      op: '<=',
      value: { field: of.field('amount') },
    })
    const gone = await owner.delete(`${of.path}/fields/${of.field('amount')}`)
    expect([gone.status, gone.body.code]).toEqual([409, 'in-use'])
    const { where } = policy.body.grants[0]
    const paidUp = (permission: Permission): Grant => ({ permission, collection: of.id, where })
    const reader = await app.asGranted([paidUp('records:read'), paidUp('records:update')])
    expect(await titles('', of, reader)).toBe('ab')
    const [a] = (await ask(reader, of, 'title = "a"')).body.items
    const away = await reader.patch(`${of.records}/${a.id}`, { values: { paid: 11 } })
    expect(away.status).toBeGreaterThanOrEqual(403)
    await owner.patch(`${of.records}/${a.id}`, { values: { amount: 1 } })
    expect(await titles('', of, reader)).toBe('b')
  })

  test('stores both field IDs in a view, and drops the condition when the right field is deleted', async () => {
    const of = await prepared()
    const view = {
      name: 'Late',
      query: { filter: 'end < start && title != "z"', search: '', sort: '', group: '' },
      look: { colors: [{ filter: 'paid > amount', color: 'red', field: null }] },
    }
    const saved = await owner.post(`${of.path}/views`, view)
    expect(saved.status, saved.text).toBe(201)
    await owner.patch(`${of.path}/fields/${of.field('start')}`, { name: 'begin' })
    const shown = async () => (await owner.get(`${of.path}/views`)).body.items.find(isSaved(saved.body.id))
    expect((await shown()).query.filter).toBe('end < begin && title != "z"')
    expect((await shown()).look.colors).toMatchObject([{ filter: 'paid > amount' }])
    expect((await owner.delete(`${of.path}/fields/${of.field('start')}`)).status).toBe(200)
    expect(await shown()).toMatchObject({ query: { filter: 'title != "z"' }, fellAway: ['filter'] })
  })
})

const isSaved =
  (wanted: string) =>
  ({ id }: { readonly id: string }): boolean =>
    id === wanted
