import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { pruneFailures, storeFailures } from './attempts-store.ts'

let opened: OpenTestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened.close())

test('many accounts with single failures cannot evict an account with many failures', async () => {
  const at = Date.parse('2026-11-20T09:00:00.000Z')
  const failing = (name: string, count: number, minute: number) => ({
    key: { hash: name, about: name },
    count,
    lastAtMs: at + minute * 60_000,
  })
  const kept = await opened.database.write(async ({ db }) => {
    const flood = Array.from({ length: 50 }, (_, nth) => failing(`flood ${nth}`, 1, nth + 1))
    await storeFailures(db, [failing('attacked', 60, 0), failing('forgetful', 3, 0), ...flood])
    await pruneFailures(db, new Date(at), 3)
    return db.selectFrom('failed_tries').select('key_hash').orderBy('count').execute()
  })
  expect(kept.map(({ key_hash }) => key_hash)).toEqual(['flood 49', 'forgetful', 'attacked'])
})
