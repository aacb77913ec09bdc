import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { createFixtureAt } from '#tests/support/database/migration-fixtures.ts'
import { migrate } from './migrate.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function openFixture() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-migration-'))
  ends.push(() => rm(dataFolder, { recursive: true }))
  const { database, close } = await openTestDatabase({ isMigrated: false })
  ends.push(close)
  await createFixtureAt(29, database, { dataFolder })
  const { id } = await database.read.selectFrom('collections').select('id').executeTakeFirstOrThrow()
  return { database, collection: id, table: `c_${id}` as const }
}

test('rows of an interrupted import can still be found without the index on import_id', async () => {
  const { database, collection, table } = await openFixture()
  const records = await database.read.selectFrom(table).select('id').orderBy('id').execute()
  const last = String(records.at(-1)?.['id'])
  const item = { user_id: null, file_name: 'a.csv', bytes: 1, made_collection: 0, preview: null, failure: null }
  const entries = [
    { id: 'interrupted', state: 'running' },
    { id: 'without rows', state: 'undoing' },
    { id: 'finished', state: 'done' },
  ]
  await database.write(async ({ db }) => {
    await db.updateTable(table).set({ import_id: 'interrupted' }).where('id', '=', last).execute()
    for (const entry of entries) {
      const progress = JSON.stringify({ rowsStored: 1 })
      const times = { created_at: '', ended_at: null }
      await db
        .insertInto('imports')
        .values({ ...item, ...entry, ...times, collection_id: collection, progress })
        .execute()
    }
  })
  await migrate(database)

  const imports = await database.read.selectFrom('imports').select(['id', 'progress']).execute()
  expect(new Map(imports.map(({ id, progress }) => [id, JSON.parse(progress)]))).toEqual(
    new Map([
      ['interrupted', { rowsStored: 1, firstId: last }],
      ['without rows', { rowsStored: 1, firstId: 'without rows' }],
      ['finished', { rowsStored: 1 }],
    ]),
  )
  await expect(
    database.write(({ db }) => sql.raw(`drop index ${table}_import`).execute(db)),
    'the index is gone',
  ).rejects.toThrow()
})
