import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/test-app.ts'

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

/** Somebody who reads the people of the north alone, and writes wherever they like. */
beforeAll(async () => {
  app = await openTestApp()
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

test('a relation out of sight is not confirmed by giving it once more', async () => {
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

test('a record can be removed whatever else is pointed at by what points at it, and nothing is told of that', async () => {
  const { status, text } = await writer.delete(path('people', `/${made.gone}`))
  expect(status, text).toBe(204)
  expect((await owner.get(path('tasks', `/${made.task}`))).body.values.helpers).toEqual([made.unseen])
  expect((await writer.get(path('tasks', `/${made.task}`))).body.values.helpers).toEqual([])
})
