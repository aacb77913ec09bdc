import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let tasks: { readonly id: string; readonly field: (name: string) => string; readonly choice: (name: string) => string }

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const { body } = await owner.post('/api/collections', {
    label: 'Tasks',
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Status', kind: 'select', options: { choices: [{ name: 'Draft' }, { name: 'Done' }] } },
      { label: 'Keeper', kind: 'user', options: { many: false } },
      { label: 'Due', kind: 'date' },
      { label: 'Region', kind: 'text' },
    ],
  })
  type Body = { readonly id: string; readonly name: string; readonly options: { readonly choices?: readonly Body[] } }
  const idIn = (items: readonly Body[] = [], name: string) => items.find((one) => one.name === name)?.id ?? ''
  const field = (name: string) => idIn(body.fields, name)
  const status = body.fields.find(({ name }: Body) => name === 'status')
  tasks = { id: body.id, field, choice: (name) => idIn(status.options.choices, name) }
})
afterAll(() => app.close())

const reads = (): Grant => ({ permission: 'records:read', collection: tasks.id })
const creates = (rest: Partial<Grant>): Grant => ({ permission: 'records:create', collection: tasks.id, ...rest })

/** Grants permission to create one's own drafts, setting only the title. */
const drafts = (): Grant =>
  creates({
    where: {
      all: [
        { field: tasks.field('keeper'), op: '=', value: { marker: '@me' } },
        { field: tasks.field('status'), op: '=', value: tasks.choice('Draft') },
      ],
    },
    fields: { only: [tasks.field('title')] },
    presets: {
      [tasks.field('keeper')]: { marker: '@me' },
      [tasks.field('status')]: tasks.choice('Draft'),
      [tasks.field('due')]: { marker: '@today+7d' },
    },
  })

const make = (who: Caller, values: object) => who.post('/api/collections/tasks/records', { values })

test("sets a grant's default values, even in fields the user can't write", async () => {
  const who = await app.asGranted([reads(), drafts()])
  const { status, body, text } = await make(who, { title: 'One' })
  expect(status, text).toBe(201)
  const due = new Date(app.clock.now().getTime() + 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  expect(body.values).toMatchObject({ title: 'One', status: 'Draft', keeper: who.userId, due, region: null })
  expect((await make(who, { title: 'Two', status: 'Done' })).status).toBe(403)
  const bulk = await who.post('/api/collections/tasks/records/bulk', { create: [{ values: { title: 'Three' } }] })
  const made = await who.get(`/api/collections/tasks/records/${bulk.body.created[0]}`)
  expect(made.body.values).toMatchObject({ status: 'Draft', keeper: who.userId })
})

test('explicit values override default values', async () => {
  const who = await app.asGranted([reads(), creates({ presets: { [tasks.field('region')]: 'North' } })])
  expect((await make(who, { title: 'One' })).body.values.region).toBe('North')
  expect((await make(who, { title: 'One', region: 'South' })).body.values.region).toBe('South')
  expect((await make(who, { title: 'One', region: null })).body.values.region).toBe(null)
})

test('applies the defaults only of a grant whose condition the record can match', async () => {
  const south: Grant = creates({
    where: { field: tasks.field('region'), op: '=', value: 'South' },
    presets: { [tasks.field('status')]: tasks.choice('Done') },
  })
  for (const grants of [
    [reads(), drafts(), south],
    [reads(), south, drafts()],
  ]) {
    const who = await app.asGranted(grants)
    expect((await make(who, { title: 'One' })).body.values).toMatchObject({ status: 'Draft', keeper: who.userId })
    expect((await make(who, { title: 'One', region: 'South' })).body.values).toMatchObject({
      status: 'Done',
      keeper: null,
    })
  }
})

test("applies the importer's defaults to imported rows", async () => {
  const who = await app.asGranted([
    reads(),
    { permission: 'records:import', collection: tasks.id, fields: { only: [tasks.field('title')] } },
    creates({ presets: { [tasks.field('keeper')]: { marker: '@me' }, [tasks.field('region')]: 'North' } }),
  ])
  const begun = await who.request('POST', '/api/collections/tasks/imports?name=tasks.csv', {
    raw: 'title\nFrom a file\n',
    headers: { 'content-type': 'text/csv' },
  })
  expect(begun.status, begun.text).toBeLessThan(300)
  for (;;) {
    const { body } = await who.get(`/api/collections/tasks/imports/${begun.body.id}`)
    if (body.state === 'done') break
    expect(['running', 'ready']).toContain(body.state)
  }
  const { items } = (await who.get(`/api/collections/tasks/records?filter=${encodeURIComponent('title ^= "From"')}`))
    .body
  expect(items[0].values).toMatchObject({ keeper: who.userId, region: 'North' })
})
