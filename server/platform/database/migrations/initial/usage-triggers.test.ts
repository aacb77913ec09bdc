import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { runStatements } from '../migration.ts'

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
  opened = await openTestDatabase()
  await run([
    `insert into users (id, email, email_fold, name, name_fold, password_hash, created_at) values ('u', 'u', 'u', 'u', 'u', '', '2026')`,
    asset('file-1', 'shared', 100),
    asset('file-2', 'shared', 100),
    asset('file-3', 'alone', 7),
    upload('up-1', 50),
    upload('up-2', 60, 'ready'),
  ])
})
afterAll(() => opened.close())

test('usage counts each blob once, and the declared size of open uploads', async () => {
  expect(await usage()).toEqual([[107, 50]])
})

test('usage includes shared blobs until the last file that references them is deleted', async () => {
  await run([asset('file-3', 'alone', 7)])
  expect(await usage()).toEqual([[107, 50]])
  await run([`delete from assets where id = 'file-1'`])
  expect(await usage()).toEqual([[107, 50]])
  await run([`delete from assets where id in ('file-2', 'file-3')`])
  expect(await usage()).toEqual([[0, 50]])
})

test('usage includes an upload until it is finished or deleted, or its user is deleted', async () => {
  await run([`update uploads set state = 'ready' where id = 'up-1'`])
  expect(await usage()).toEqual([[0, 0]])
  await run([upload('up-3', 5), upload('up-4', 6), `update uploads set committed = 1`])
  expect(await usage()).toEqual([[0, 11]])
  await run([`delete from uploads where id in ('up-1', 'up-3')`])
  expect(await usage()).toEqual([[0, 6]])
  await run([`delete from users where id = 'u'`])
  expect(await usage()).toEqual([[0, 0]])
})

test('usage equals the total size of the remaining blobs after any sequence of changes', async () => {
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
