import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { migrate } from './migrate.ts'
import { roles } from './0013-roles.ts'
import { ALL_MIGRATIONS } from './all-migrations.ts'
import { runStatements } from './run-statements.ts'

test('whoever was there before keeps their role, and a role that is not known grants nothing', async () => {
  const { database, close } = await openTestDatabase({ isMigrated: false })
  await migrate(database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number < roles.number) })
  const user = (id: string, role: string) =>
    `insert into users (id, email, email_fold, name, role, password_hash, created_at)
      values ('${id}', '${id}', '${id}', '${id}', '${role}', '', '2026-01-01T00:00:00.000Z')`
  await database.write((transaction) =>
    runStatements(transaction, [user('1', 'owner'), user('2', 'viewer'), user('3', 'emperor')]),
  )
  await migrate(database)
  const { rows } = await sql`select user_id, role_id from user_roles order by user_id`.execute(database.read)
  expect(rows).toEqual([
    { user_id: '1', role_id: 'owner' },
    { user_id: '2', role_id: 'viewer' },
  ])
  const seeded = await sql`select role_id, policy_id from role_policies order by role_id`.execute(database.read)
  expect(seeded.rows).toEqual(['contributor', 'editor', 'viewer'].map((name) => ({ role_id: name, policy_id: name })))
  await close()
})
