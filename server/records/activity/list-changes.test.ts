import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { createRecord } from '#server/records/crud/write-record.ts'
import { logSettled } from '#tests/support/database/settled-log.ts'
import { openTestRecords, TESTER, type TestRecords } from '#tests/support/database/test-records.ts'
import { listChanges } from './list-changes.ts'

let records: TestRecords

beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

test('changes in a collection that another process just created are listed', async () => {
  const { deps } = records
  // Another process has definitions in its cache, and doesn't check them again while its clock stands still.
  const other = { ...deps, definitions: definitionsCache(deps.database, () => 0) }
  await other.definitions.current()
  const collection = await records.collection('New', [{ label: 'Title', kind: 'text' }])
  const { id } = await createRecord(deps, TESTER, { collection }, { title: 'a' })
  await logSettled(deps.database)
  const { items } = await listChanges(other, TESTER, { limit: 100 })
  expect(items).toMatchObject([{ kind: 'created', collection, record: id }])
})
