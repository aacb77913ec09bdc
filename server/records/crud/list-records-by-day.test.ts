import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListCache } from '#server/query/cache/list-cache.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { listRecordsByDay } from './list-records-by-day.ts'

let records: TestRecords

beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

test('reads a few days at a time', async () => {
  const collection = await records.collection('Tasks', [{ label: 'Due', kind: 'date' }])
  let [running, highest] = [0, 0]
  const page: ListCache['page'] = async (listing, fields) => {
    running += 1
    highest = Math.max(highest, running)
    try {
      return await records.deps.shapes.page(listing, fields)
    } finally {
      running -= 1
    }
  }
  const deps = { ...records.deps, shapes: { ...records.deps.shapes, page } }
  const query = { by: 'due', from: '2026-03-28', days: 63, perDay: 1, choices: 'name', richText: 'document' } as const
  const { days } = await listRecordsByDay(deps, TESTER, collection, query)
  expect(days).toHaveLength(63)
  expect(highest).toBe(8)
})
