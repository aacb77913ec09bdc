import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDialect } from '#tests/support/database/test-database.ts'
import { type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { prepareDeletion } from './prepare-deletion.ts'

let records: TestRecords
beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

test('on SQLite, the search index is no longer maintained while most of many records are being deleted', async () => {
  const { deps } = records
  const id = await records.collection('Notes', [{ label: 'Title', kind: 'text' }])
  const { byId } = await deps.definitions.current()
  const areDiscarded = async (deleted: number): Promise<readonly boolean[]> => {
    const collection = byId.get(id)
    if (collection) await prepareDeletion(deps, collection, deleted)
    const parts = (await deps.definitions.current()).searchParts.get(id) ?? []
    return parts.map(({ discardedAt }) => discardedAt !== null)
  }
  const isSqlite = testDialect() === 'sqlite'
  expect(await areDiscarded(1)).toEqual(isSqlite ? [false] : [])
  expect(await areDiscarded(1_000_000)).toEqual(isSqlite ? [true] : [])
})
