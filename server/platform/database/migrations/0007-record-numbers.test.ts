import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { seqOf } from '#domain/shared/ids.ts'
import { listOrphans } from '#server/operations/doctor/store.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { migrate } from './migrate.ts'
import { ALL_MIGRATIONS } from './all-migrations.ts'
import { recordNumbers } from './0007-record-numbers.ts'
import { runStatements } from './run-statements.ts'

let end: (() => Promise<void>) | undefined
afterEach(() => end?.())

const COLLECTION = '00k00000000001000000000000'
const LIST = '00f00000000002000000000000'
const TITLE = '00f00000000001000000000000'

/** Three made in one instant, as they were counted before, and one from long after. */
const IDS = ['a', 'b', 'c'].map((last) => `01ky000000000000000000000${last}`).concat('01kz0000000000000000000000')

/** A collection as it was stored before records had numbers: a title that is unique, a truth, and a list. */
async function databaseFromBefore(): Promise<Database> {
  const { database, close } = await openTestDatabase({ dialect: 'sqlite', isMigrated: false })
  end = close
  await migrate(database, { migrations: ALL_MIGRATIONS.filter(({ number }) => number < recordNumbers.number) })
  await database.write((transaction) =>
    runStatements(transaction, [
      `insert into collections (id, name, label, position, version) values ('${COLLECTION}', 'pens', 'Pens', 0, 1)`,
      `create table c_${COLLECTION} (id text primary key not null, version integer not null, import_id text,
        f_${TITLE} text, f_x integer not null default 0)`,
      `alter table c_${COLLECTION} add column f_late real`,
      `create unique index u_${TITLE} on c_${COLLECTION} (f_${TITLE})`,
      `create table l_${LIST} (record_id text not null references c_${COLLECTION} (id) on delete cascade,
        position integer not null, value text not null, primary key (record_id, position))`,
      `create index l_${LIST}_value on l_${LIST} (value)`,
      ...[...IDS]
        .reverse()
        .flatMap((id) => [
          `insert into c_${COLLECTION} (id, version, f_${TITLE}, f_x, f_late) values ('${id}', 2, 'T ${id}', 1, 0.5)`,
          `insert into l_${LIST} values ('${id}', 0, 'v0'), ('${id}', 1, 'v1')`,
        ]),
    ]),
  )
  return database
}

const rowsIn = async ({ read }: Database) =>
  (
    await sql<{ id: string; seq: string }>`
    select id, cast(seq as text) as seq, version, f_x, f_late from ${sql.table(`c_${COLLECTION}`)} order by seq`.execute(
      read,
    )
  ).rows

describe('numbering records that are there', () => {
  test('follows their ids, counts on where ids share their first digits, and keeps every value', async () => {
    const database = await databaseFromBefore()
    await migrate(database)
    const first = BigInt(seqOf(IDS[0] ?? ''))
    expect(await rowsIn(database)).toEqual(
      [first, first + 1n, first + 2n, BigInt(seqOf(IDS[3] ?? ''))].map((seq, at) => ({
        id: IDS[at],
        seq: String(seq),
        version: 2,
        f_x: 1,
        f_late: 0.5,
      })),
    )
  })

  test('keeps lists and what refers to records, indexes and the order of columns', async () => {
    const database = await databaseFromBefore()
    await migrate(database)
    expect(await listOrphans(database.read, COLLECTION, LIST)).toBe(0)
    const columns = await sql<{ name: string }>`select name from pragma_table_info(${`c_${COLLECTION}`})`.execute(
      database.read,
    )
    expect(columns.rows.map(({ name }) => name)).toEqual([
      'seq',
      'id',
      'version',
      'import_id',
      `f_${TITLE}`,
      'f_x',
      'f_late',
    ])
    const schema = await sql<{
      name: string
    }>`select name from sqlite_schema where name glob 'new_*' or name in (${`u_${TITLE}`}, ${`l_${LIST}_value`})`.execute(
      database.read,
    )
    expect(schema.rows.map(({ name }) => name).toSorted()).toEqual([`l_${LIST}_value`, `u_${TITLE}`])

    await database.write(async ({ db }) => {
      await sql`delete from ${sql.table(`c_${COLLECTION}`)} where id = ${IDS[0]}`.execute(db)
    })
    const entries = await sql<{ count: number }>`select count(*) as count from ${sql.table(`l_${LIST}`)}`.execute(
      database.read,
    )
    expect(entries.rows).toEqual([{ count: 6 }])
  })
})
