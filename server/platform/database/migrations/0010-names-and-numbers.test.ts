import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { migrate } from './migrate.ts'
import { ALL_MIGRATIONS } from './all-migrations.ts'
import { namesAndNumbers } from './0010-names-and-numbers.ts'
import { runStatements } from './run-statements.ts'

test('whoever was there before is found by their folded name', async () => {
  const { database, close } = await openTestDatabase({ isMigrated: false })
  await migrate(database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number < namesAndNumbers.number) })
  await database.write((transaction) =>
    runStatements(transaction, [
      `insert into users (id, email, email_fold, name, role, password_hash, created_at)
        values ('1', 'z@example.org', 'z@example.org', 'Zoë Ödön', 'owner', '', '2026-01-01T00:00:00.000Z')`,
    ]),
  )
  await migrate(database)
  const { rows } = await sql`select name, name_fold from users`.execute(database.read)
  expect(rows).toEqual([{ name: 'Zoë Ödön', name_fold: 'zoe odon' }])
  await close()
})
