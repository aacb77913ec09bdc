import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTables } from '#server/schema/collections/tables-store.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { countries } from '#tests/conformance/query/data/library-schema.ts'
import { type OpenTestDatabase, openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { analyzeStaleTables } from './index-manager.ts'

let opened: OpenTestDatabase

beforeEach(async () => {
  opened = await openTestDatabase()
  await opened.database.write((transaction) => createTables(transaction, countries))
})
afterEach(() => opened.close())

const TABLE = tableOf(countries.id)

const addCountries = (from: number, to: number) =>
  opened.database.write(async ({ db }) => {
    await sql`insert into ${sql.table(TABLE)} (id, version, created_at, updated_at)
      select 'c' || at, 1, '', '' from generate_series(${from}::int, ${to}::int) as at`.execute(db)
    // Otherwise, table statistics are updated only after a second.
    await sql`select pg_stat_force_next_flush()`.execute(db)
  })

async function refreshed(): Promise<string[]> {
  const ran: string[] = []
  const { signal } = new AbortController()
  const work = (run: (statement: string) => Promise<void>) =>
    analyzeStaleTables(opened, async (statement) => {
      ran.push(statement)
      await run(statement)
    })
  await opened.database.maintain({ name: 'indexes', signal, work })
  return ran
}

if (testDialect() === 'postgres') {
  test('a table is analyzed once after many changes', async () => {
    // PostgreSQL would sometimes analyze it first.
    const withoutVacuum = sql`alter table ${sql.table(TABLE)} set (autovacuum_enabled = false)`
    await opened.database.write(({ db }) => withoutVacuum.execute(db))
    await addCountries(1, 9_000)
    expect(await refreshed()).toEqual([])
    await addCountries(9_001, 12_000)
    expect(await refreshed()).toEqual([`vacuum (analyze) "${TABLE}"`])
    expect(await refreshed()).toEqual([])
  })
} else {
  test('tables in SQLite are not analyzed', async () => {
    expect(await refreshed()).toEqual([])
  })
}
