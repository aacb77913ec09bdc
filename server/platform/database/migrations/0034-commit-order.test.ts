import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { readWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { createFixtureAt } from '#tests/support/database/migration-fixtures.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { migrate } from './migrate.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function openFixture(): Promise<Database> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-migration-'))
  ends.push(() => rm(dataFolder, { recursive: true }))
  const { database, close } = await openTestDatabase({ isMigrated: false })
  ends.push(close)
  await createFixtureAt(32, database, { dataFolder })
  return database
}

/** The file that contains the table; a rewritten table has another one. */
async function fileOf({ dialect, read }: Database): Promise<string | undefined> {
  if (dialect === 'sqlite') return ''
  const { rows } = await sql<{ file: string }>`select pg_relation_filepath('changes') as file`.execute(read)
  return rows[0]?.file
}

/** IDs of all entries in the order in which they are listed. */
async function listed({ dialect, read }: Database): Promise<readonly string[]> {
  const order = dialect === 'sqlite' ? sql`rowid` : sql`transaction_id, id`
  const { rows } = await sql<{ id: string }>`select id from changes order by ${order}`.execute(read)
  return rows.map(({ id }) => id)
}

test('earlier entries come before later ones, and the table isn’t rewritten', async () => {
  const database = await openFixture()
  const file = await fileOf(database)
  const earlier = (await database.read.selectFrom('changes').select('id').orderBy('id').execute()).map(({ id }) => id)
  await migrate(database)
  expect(await fileOf(database)).toBe(file)
  const nothing = { user_id: null, collection_id: null, record_id: null, before: null, after: null, note: null }
  const entry = { ...nothing, at: '', kind: 'record-created', change_set_id: null, record_meta: null }
  for (const id of ['0b', '0a'])
    await database.write(({ db }) =>
      db
        .insertInto('changes')
        .values({ ...entry, id })
        .execute(),
    )
  expect(earlier).toHaveLength(2)
  expect(await listed(database)).toEqual([...earlier, '0b', '0a'])
})

test('the log has an ID, which a restored log already has', async () => {
  const [first, restored] = [await openFixture(), await openFixture()]
  const idOf = ({ read }: Database) => readWorkspaceValue(read, 'change-log-id')
  await restored.write(({ db }) =>
    db.insertInto('workspace').values({ name: 'change-log-id', value: 'restored' }).execute(),
  )
  for (const database of [first, restored]) await migrate(database)
  expect(await idOf(first)).toMatch(/^[\da-f-]{36}$/)
  expect(await idOf(restored)).toBe('restored')
})
