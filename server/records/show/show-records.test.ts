import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#domain/access/actor.ts'
import { type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { createRecord, updateRecord } from '#server/records/crud/write-record.ts'

let records: TestRecords
let tasks = ''

beforeAll(async () => {
  records = await openTestRecords()
  tasks = await records.collection('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
  ])
})
afterAll(() => records.close())

const writer = (): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants: [
    { permission: 'records:create', collection: tasks },
    { permission: 'records:update', collection: tasks },
    { permission: 'records:read', collection: tasks, where: { field: 'hours', op: '>', value: 3 } },
  ],
})

test('a written record is checked for hidden fields without an additional statement', async () => {
  await records.deps.definitions.current()
  records.reads()
  const made = await createRecord(records.deps, writer(), { collection: tasks }, { title: 'long', hours: 5 })
  expect(made.values).toEqual({ title: 'long', hours: 5 })
  const change = (hours: number) =>
    updateRecord(records.deps, writer(), { collection: tasks, record: made.id }, { values: { hours } })
  expect((await change(4)).values).toEqual({ title: 'long', hours: 4 })
  expect((await change(1)).values).toEqual({})
  expect(records.reads()).toBe(0)
})
