import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { migrate } from './migrate.ts'
import { auditAndUsers } from './0016-audit-and-users.ts'
import { ALL_MIGRATIONS } from './all-migrations.ts'
import { runStatements } from './run-statements.ts'

test('entries that were written before are kept as they are, and cannot be changed from now on', async () => {
  const { database, close } = await openTestDatabase({ isMigrated: false })
  await migrate(database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number < auditAndUsers.number) })
  const entry = (id: string) =>
    `insert into audit_log (id, at, kind, user_id, about_id, address, details)
      values ('${id}', '2026-01-01T00:00:00.000Z', 'signed-in', 'u', null, '127.0.0.1', '{}')`
  await database.write((transaction) => runStatements(transaction, [entry('1'), entry('2')]))
  await migrate(database)
  await database.write((transaction) => runStatements(transaction, [entry('3')]))
  for (const statement of [`update audit_log set kind = 'x'`, `delete from audit_log where id = '1'`]) {
    await expect(database.write((transaction) => runStatements(transaction, [statement]))).rejects.toThrow(
      /append-only/,
    )
  }
  const { rows } = await sql`select id, kind, collection_id from audit_log order by id`.execute(database.read)
  expect(rows).toEqual(['1', '2', '3'].map((id) => ({ id, kind: 'signed-in', collection_id: null })))
  await close()
})
