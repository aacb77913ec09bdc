import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let writer: Caller
let made: { readonly seen: string; readonly gone: string; readonly unseen: string; readonly task: string }

const path = (collection: string, rest = ''): string => `/api/collections/${collection}/records${rest}`

async function make(collection: string, values: object): Promise<string> {
  const { status, body, text } = await owner.post(path(collection), { values })
  expect(status, text).toBe(201)
  return body.id
}

/** A user who can read only people in the north but can write all records. */
beforeAll(async () => {
  app = await openTestApp({ convertedAtOnce: 20 })
  owner = await app.asOwner()
  const fields = [
    { label: 'Name', kind: 'text' },
    { label: 'Region', kind: 'text' },
  ]
  const people = (await owner.post('/api/collections', { label: 'People', fields })).body.id
  const tasks = (
    await owner.post('/api/collections', {
      label: 'Tasks',
      fields: [
        { label: 'Lead', kind: 'relation', options: { collection: 'people' } },
        { label: 'Helpers', kind: 'relation', options: { collection: 'people', many: true } },
      ],
    })
  ).body.id
  const seen = await make('people', { name: 'Ada', region: 'north' })
  const gone = await make('people', { name: 'Cem', region: 'north' })
  const unseen = await make('people', { name: 'Bob', region: 'south' })
  const task = await make('tasks', { lead: unseen, helpers: [gone, unseen] })
  made = { seen, gone, unseen, task }
  const on = (collection: string, permission: Permission): Grant => ({ permission, collection })
  writer = await app.asGranted([
    { ...on(people, 'records:read'), where: { field: 'region', op: '=', value: 'north' } },
    on(people, 'records:delete'),
    on(tasks, 'records:read'),
    on(tasks, 'records:update'),
  ])
})
afterAll(() => app.close())

test("setting a relation to an already linked hidden record doesn't reveal the link", async () => {
  const one = { values: { lead: made.unseen } }
  const answers = [
    await writer.patch(path('tasks', `/${made.task}`), one),
    await writer.post(path('tasks', '/bulk'), { update: [{ id: made.task, ...one }] }),
    await writer.post(path('tasks', '/bulk'), { where: {}, update: one }),
  ]
  const nowhere = await writer.patch(path('tasks', `/${made.task}`), { values: { lead: '0'.repeat(26) } })
  for (const { status, body } of [...answers, nowhere])
    expect([status, body.errors[0].code]).toEqual([422, 'unknown-record'])
})

test('deleting a record that hidden records link to reveals nothing about them', async () => {
  const { status, text } = await writer.delete(path('people', `/${made.gone}`))
  expect(status, text).toBe(204)
  expect((await owner.get(path('tasks', `/${made.task}`))).body.values.helpers).toEqual([made.unseen])
  expect((await writer.get(path('tasks', `/${made.task}`))).body.values.helpers).toEqual([])
})

test("field changes don't reveal lost, duplicate or converted values that the collection manager can't read", async () => {
  const notes = '/api/collections/notes'
  const { body } = await owner.post('/api/collections', {
    label: 'Notes',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Secret', kind: 'text' },
      { label: 'Grade', kind: 'select', options: { choices: [{ name: 'good' }, { name: 'bad' }] } },
    ],
  })
  const create = ['tulips', 'tulips'].map((secret) => ({ values: { title: 'a', secret, grade: 'good' } }))
  expect((await owner.post(`${notes}/records/bulk`, { create })).status).toBe(200)
  const secret = body.fields[1].id
  const managing: Grant = { permission: 'collections:manage', collection: body.id }
  const reading: Grant = { permission: 'records:read', collection: body.id }
  const never = { field: 'title', op: '=', value: 'b' } as const
  const [blind, bounded] = await Promise.all([
    app.asGranted([managing, { ...reading, fields: { except: [secret, body.fields[2].id] } }]),
    app.asGranted([managing, { ...reading, where: never }]),
  ])
  const changes: readonly (readonly [string, object])[] = [
    ['secret', { kind: 'number' }],
    ['secret', { kind: 'number', acceptLoss: true }],
    ['secret', { kind: 'select' }],
    ['secret', { unique: true }],
    ['grade', { options: { choices: [{ name: 'bad' }] } }],
  ]
  for (const manager of [blind, bounded]) {
    for (const [field, change] of changes) {
      const { status, text } = await manager.patch(`${notes}/fields/${field}`, change)
      expect([status, text.includes('tulips')], JSON.stringify(change)).toEqual([403, false])
    }
    expect((await manager.patch(`${notes}/fields/secret`, { label: 'Hidden' })).status).toBe(200)
  }
  const reported = await owner.patch(`${notes}/fields/secret`, { kind: 'number' })
  expect([reported.status, reported.body.lost.count]).toEqual([422, 2])
})

test("a collection that relations link to can't be deleted, and the error lists only visible relations", async () => {
  const { id } = (await owner.get('/api/collections/people')).body
  const manager = await app.asGranted([
    { permission: 'collections:manage', collection: id },
    { permission: 'records:read', collection: id },
  ])
  const [unseen, seen] = [
    await manager.delete('/api/collections/people'),
    await owner.delete('/api/collections/people'),
  ]
  expect([unseen.status, unseen.text.includes('Tasks')]).toEqual([422, false])
  expect([seen.status, seen.text.includes('Tasks')]).toEqual([422, true])
})

test("a transition can't depend on fields its collection manager can't read, and doesn't reveal their values", async () => {
  const people = (await owner.get('/api/collections/people')).body
  const { body: made } = await owner.post('/api/collections', {
    label: 'Cases',
    fields: [
      { label: 'Stage', kind: 'state', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
      { label: 'Lead', kind: 'relation', options: { collection: 'people' } },
    ],
  })
  const path = '/api/collections/cases'
  const [from, to] = made.fields[0].options.choices.map(({ id }: { id: string }) => id)
  const way = (when: string | null, id?: string) => ({
    workflow: { transitions: [{ ...(id && { id }), name: 'Close', from, to, when }] },
  })
  const [of, region] = [made.id, people.fields[1].id]
  const managing: readonly Grant[] = [
    { permission: 'collections:manage', collection: of },
    { permission: 'records:read', collection: of },
  ]
  const reading: Grant = { permission: 'records:read', collection: people.id }
  const [blind, whole] = await Promise.all([
    app.asGranted([...managing, { ...reading, fields: { except: [region] } }]),
    app.asGranted([...managing, reading]),
  ])
  const refused = await blind.patch(path, way('lead.region = "south"'))
  expect([refused.status, refused.text.includes('Region')]).toEqual([422, false])
  expect((await blind.patch(path, way('lead.name = "Ada"'))).status).toBe(200)

  const { body } = await whole.patch(path, way('lead.region = "south"'))
  const { id } = body.workflow.transitions[0]
  expect((await blind.get(path)).body.workflow.transitions[0]).not.toHaveProperty('when')
  expect((await blind.patch(path, way(null, id))).status).toBe(200)
  expect((await owner.get(path)).body.workflow.transitions[0].when).toMatchObject({ field: 'lead.region' })
})

test('a field type change reveals no hidden values or counts to the manager', async () => {
  const create = Array.from({ length: 4000 }, (_, at) => ({ values: { code: String(at) } }))
  const { body } = await owner.post('/api/collections', { label: 'Ledger', fields: [{ label: 'Code', kind: 'text' }] })
  const path = '/api/collections/ledger'
  const made = await owner.post(`${path}/records/bulk`, { create })
  const { job } = (await owner.patch(`${path}/fields/code`, { kind: 'number' })).body
  await owner.patch(`${path}/records/${made.body.created[0]}`, { values: { code: 'tulips' } })
  const manager = await app.asGranted([
    { permission: 'collections:manage', collection: body.id },
    { permission: 'records:read', collection: body.id, where: { field: 'code', op: '=', value: '7' } },
  ])
  const of = async (who: Caller) => (await who.get(`/api/jobs/${job}`)).body
  for (let state = 'running'; state === 'running'; ) state = (await of(owner)).state
  expect(await of(owner)).toMatchObject({ state: 'failed', total: 4000, failure: expect.stringContaining('tulips') })
  expect(await of(manager)).toMatchObject({ state: 'failed', total: null, done: 0, lost: null })
  expect((await of(manager)).failure).not.toContain('tulips')
})
