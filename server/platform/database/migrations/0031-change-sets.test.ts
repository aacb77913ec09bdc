import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { createFixtureAt } from '#tests/support/database/migration-fixtures.ts'
import { migrate } from './migrate.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const DAY_MS = 24 * 60 * 60 * 1000

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()

test('recent deletions are in the trash, and idempotency keys are kept', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-migration-'))
  ends.push(() => rm(dataFolder, { recursive: true }))
  const { database, close } = await openTestDatabase({ isMigrated: false })
  ends.push(close)
  await createFixtureAt(30, database, { dataFolder })
  const before = (await database.read.selectFrom('changes').select('id').execute()).length
  const nothing = { user_id: 'ada', collection_id: 'cases', before: '{}', after: null, note: null, record_meta: null }
  const entries = [
    { id: 'a1', at: daysAgo(2), kind: 'record-deleted', record_id: 'gone', change_set_id: 'set1' },
    { id: 'a2', at: daysAgo(2), kind: 'record-deleted', record_id: 'back', change_set_id: 'set1' },
    { id: 'a3', at: daysAgo(1), kind: 'record-restored', record_id: 'back', change_set_id: null },
    { id: 'a4', at: daysAgo(40), kind: 'record-deleted', record_id: 'long gone', change_set_id: 'set2' },
    { id: 'a5', at: daysAgo(1), kind: 'record-created', record_id: 'new', change_set_id: 'create ada key-1' },
  ]
  await database.write(async ({ db }) => {
    for (const entry of entries)
      await db
        .insertInto('changes')
        .values({ ...nothing, ...entry })
        .execute()
  })
  await migrate(database)

  const trash = await database.read.selectFrom('trash').select(['record_id', 'entry_id', 'change_set_id']).execute()
  expect(trash).toEqual([{ record_id: 'gone', entry_id: 'a1', change_set_id: 'set1' }])
  const sets = await database.read
    .selectFrom('change_sets')
    .select(['id', 'user_id', 'is_deletion', 'idempotency_key'])
    .orderBy('id')
    .execute()
  expect(sets).toEqual([
    { id: 'a5', user_id: 'ada', is_deletion: 0, idempotency_key: 'key-1' },
    { id: 'set1', user_id: 'ada', is_deletion: 1, idempotency_key: null },
    { id: 'set2', user_id: 'ada', is_deletion: 1, idempotency_key: null },
  ])
  const created = await database.read.selectFrom('changes').select('change_set_id').where('id', '=', 'a5').execute()
  expect(created).toEqual([{ change_set_id: 'a5' }])
  expect((await database.read.selectFrom('changes').select('id').execute()).length).toBe(before + entries.length)
})
