import { afterAll, beforeAll, expect, test } from 'vitest'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { createRecord, deleteRecord, updateRecord } from './write-record.ts'

let records: TestRecords

beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

async function createNote(): Promise<{ readonly collection: string; readonly record: string }> {
  const collection = await records.collection(`Notes ${records.deps.newId()}`, [
    { label: 'Title', kind: 'text' },
    { label: 'Count', kind: 'number' },
  ])
  const { id } = await createRecord(records.deps, TESTER, { collection }, { title: 'New', count: 0 })
  return { collection, record: id }
}

test('concurrent updates of one record each start from the result of the previous one', async () => {
  const place = await createNote()
  const { deps } = records
  const increment = () =>
    updateRecord(deps, TESTER, place, {
      values: async (_, before, { fields: [, count] }) => ({ count: Number(before.values[count?.id ?? '']) + 1 }),
    })
  const updated = await Promise.all(Array.from({ length: 12 }, increment))
  expect(updated.map(({ version }) => version).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 12 }, (_, at) => at + 2),
  )
  expect(updated.every(({ version, values }) => values['count'] === version - 1)).toBe(true)
  const log = await deps.database.read
    .selectFrom('changes')
    .select(['before', 'after'])
    .where('record_id', '=', place.record)
    .where('kind', '=', 'record-changed')
    .orderBy('id')
    .execute()
  const counts = (json: string | null) => Object.values(JSON.parse(json ?? '{}'))[0]
  expect(log.map(({ before, after }) => [counts(before), counts(after)])).toEqual(
    Array.from({ length: 12 }, (_, at) => [at, at + 1]),
  )
})

test('only one of several concurrent updates of the same version is saved', async () => {
  const place = await createNote()
  const results = await Promise.allSettled(
    ['a', 'b', 'c'].map((title) => updateRecord(records.deps, TESTER, place, { values: { title }, version: 1 })),
  )
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const result of results) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'version-conflict', details: { extra: { current: { version: 2 } } } })
  }
})

test('a record that is deleted during an update is never restored by it', async () => {
  const place = await createNote()
  const { deps } = records
  const [deletion, update] = await Promise.allSettled([
    deleteRecord(deps, TESTER, place),
    updateRecord(deps, TESTER, place, { values: { title: 'Late' } }),
  ])
  expect(deletion.status).toBe('fulfilled')
  // On PostgreSQL, the update can also come first.
  if (update.status === 'rejected') expect(update.reason).toMatchObject({ code: 'record-not-found' })
  const again = updateRecord(deps, TESTER, place, { values: { title: 'Later' } })
  await expect(again).rejects.toMatchObject({ code: 'record-not-found' })
})
