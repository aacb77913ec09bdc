import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_NODES } from '#domain/rich-text/check-document.ts'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { attachAssets, detachAssets, findAssets } from './assets-store.ts'

let opened: OpenTestDatabase
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened.close())

const ids = Array.from({ length: 2 * MAX_NODES }, (_, at) => String(at).padStart(26, '0'))

test('any number of files can be found, attached and detached', async () => {
  const { database } = opened
  expect(await findAssets(database.read, ids)).toEqual([])
  await database.write(async (transaction) => {
    await attachAssets(transaction, ids, 'r')
    await detachAssets(transaction, { field: 'f', record: 'r', ids }, '2026-11-20T09:00:00.000Z')
  })
})
