import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { migrate } from './migrate.ts'
import { storageUsage } from './0019-storage-usage.ts'
import { ALL_MIGRATIONS } from './all-migrations.ts'
import { runStatements } from './run-statements.ts'

let opened: OpenTestDatabase

const run = (statements: readonly string[]) =>
  opened.database.write((transaction) => runStatements(transaction, statements))

const asset = (id: string, hash: string, bytes: number) =>
  `insert into assets (id, user_id, hash, name, name_fold, type, bytes, created_at, collection_id, field_id)
    values ('${id}', 'u', '${hash}', 'a', 'a', 'text/plain', ${bytes}, '2026', 'c', 'f') on conflict (id) do nothing`

const upload = (id: string, size: number, state = 'open') =>
  `insert into uploads (id, user_id, collection_id, field_id, name, declared_type, size, committed, state, created_at, expires_at)
    values ('${id}', 'u', 'c', 'f', 'a', '', ${size}, 0, '${state}', '2026', '2027')`

const usage = async () => {
  const { rows } = await sql<{ used: number; reserved: number }>`select used, reserved from storage_usage`.execute(
    opened.database.read,
  )
  return rows.map(({ used, reserved }) => [Number(used), Number(reserved)])
}

beforeAll(async () => {
  opened = await openTestDatabase({ isMigrated: false })
  await migrate(opened.database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number < storageUsage.number) })
  await run([
    `insert into users (id, email, email_fold, name, name_fold, password_hash, created_at) values ('u', 'u', 'u', 'u', 'u', '', '2026')`,
    asset('old-1', 'shared', 100),
    asset('old-2', 'shared', 100),
    asset('old-3', 'alone', 7),
    upload('up-1', 50),
    upload('up-2', 60, 'ready'),
  ])
  await migrate(opened.database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number <= storageUsage.number) })
})
afterAll(() => opened.close())

test('what was there before is counted once for each blob, and what open uploads announced', async () => {
  expect(await usage()).toEqual([[107, 50]])
})

test('a file that is stored twice under its id counts once, and bytes that are shared go with the last file', async () => {
  await run([asset('old-3', 'alone', 7)])
  expect(await usage()).toEqual([[107, 50]])
  await run([`delete from assets where id = 'old-1'`])
  expect(await usage()).toEqual([[107, 50]])
  await run([`delete from assets where id in ('old-2', 'old-3')`])
  expect(await usage()).toEqual([[0, 50]])
})

test('an upload is let go of once, when it ends, is taken back, or goes with its user', async () => {
  await run([`update uploads set state = 'ready' where id = 'up-1'`])
  expect(await usage()).toEqual([[0, 0]])
  await run([upload('up-3', 5), upload('up-4', 6), `update uploads set committed = 1`])
  expect(await usage()).toEqual([[0, 11]])
  await run([`delete from uploads where id in ('up-1', 'up-3')`])
  expect(await usage()).toEqual([[0, 6]])
  await run([`delete from users where id = 'u'`])
  expect(await usage()).toEqual([[0, 0]])
})

test('whatever comes and goes, the figure is the sum of the blobs that are left', async () => {
  const step = fc.record({ id: fc.nat(9), hash: fc.nat(4), isAdded: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const statements = steps.map(({ id, hash, isAdded }) =>
        isAdded ? asset(`a${id}`, `h${hash}`, 10 + hash) : `delete from assets where id = 'a${id}'`,
      )
      await run(['delete from assets', ...statements].map((one) => one.replace(`'u',`, 'null,')))
      const { rows } = await sql<{ bytes: number }>`
        select coalesce(sum(bytes), 0) as bytes from (select hash, max(bytes) as bytes from assets group by hash) as known
      `.execute(opened.database.read)
      expect((await usage())[0]?.[0]).toBe(Number(rows[0]?.bytes))
    }),
    { numRuns: 40 },
  )
})
