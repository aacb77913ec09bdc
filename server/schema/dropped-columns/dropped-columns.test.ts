import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '#server/platform/http/logging.ts'
import { createRecord } from '#server/records/crud/write-record.ts'
import { columnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { checkTables } from '#server/operations/doctor/checks.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { addField, removeField } from '#server/schema/collections/change-collection.ts'
import { changeField } from '#server/schema/fields/change-field.ts'
import { type ColumnCleanup, createColumnCleanup } from './dropped-column-cleanup.ts'

const MANY = 20_050

let records: TestRecords
let notes: string
const cleanups: ColumnCleanup[] = []

beforeAll(async () => {
  records = await openTestRecords()
  notes = await records.collection('Notes', [
    { label: 'Title', kind: 'text' },
    { label: 'Secret', kind: 'text' },
    { label: 'Amount', kind: 'text' },
  ])
  const [title, secret, amount] = await Promise.all([fieldNamed('title'), fieldNamed('secret'), fieldNamed('amount')])
  const isSqlite = testDialect() === 'sqlite'
  const seq = sql.raw(isSqlite ? 'seq, ' : '')
  const numbers = isSqlite
    ? sql`with recursive n (x) as (select 1 union all select x + 1 from n where x < ${MANY}) select x, `
    : sql`select `
  const from = isSqlite ? sql`from n` : sql`from generate_series(1, ${MANY}) as x`
  const id = isSqlite ? sql`printf('%026d', x)` : sql`lpad(x::text, 26, '0')`
  await records.deps.database.write(({ db }) =>
    sql`insert into ${sql.table(tableOf(notes))} (${seq}id, version, created_at, updated_at, ${sql.id(title)}, ${sql.id(secret)}, ${sql.id(amount)})
      ${numbers} ${id}, 1, '2026', '2026', 'note', 'secret', '7' ${from}`.execute(db),
  )
})
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup.stop()
  await records.close()
})

const fieldNamed = async (name: string): Promise<string> => {
  const collection = (await records.deps.definitions.current()).byId.get(notes)
  return columnOf(collection?.fields.find((field) => field.name === name)?.id ?? '')
}

async function leftOver(): Promise<string[]> {
  if (testDialect() === 'postgres') return []
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${tableOf(notes)})`.execute(
    records.deps.database.read,
  )
  return rows.flatMap(({ name }) => /^(left|emptied)_/.exec(name)?.[1] ?? []).toSorted()
}

function startCleanup(): ColumnCleanup {
  const cleanup = createColumnCleanup({ ...records.deps, log: openLog('silent') })
  cleanups.push(cleanup)
  cleanup.start()
  return cleanup
}

async function doctorSays(): Promise<readonly string[]> {
  const { database } = records.deps
  const deps = { ...records.deps, definitions: await records.deps.definitions.current(), database }
  // The check doesn't read any files.
  return checkTables.run(deps as unknown as Parameters<typeof checkTables.run>[0])
}

describe('a field deleted from a large collection', () => {
  test('disappears immediately; its values are cleared in the background', async () => {
    await removeField(records.deps, TESTER, 'notes', 'secret')
    const isSqlite = testDialect() === 'sqlite'
    expect(await leftOver()).toEqual(isSqlite ? ['left', 'left'] : [])
    expect(await doctorSays()).toEqual([])
    const cleanup = startCleanup()
    await createRecord(records.deps, TESTER, { collection: 'notes' }, { title: 'meanwhile' })
    await cleanup.settled()
    expect(await leftOver()).toEqual(isSqlite ? ['emptied', 'emptied'] : [])
    expect(await doctorSays()).toEqual([])
  })

  test('can be re-created under the same name, without values', async () => {
    await addField(records.deps, TESTER, 'notes', {
      label: 'Secret',
      kind: 'text',
      required: false,
      unique: false,
      options: {},
    })
    const column = await fieldNamed('secret')
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(tableOf(notes))}
      where ${sql.id(column)} is not null`.execute(records.deps.database.read)
    expect(Number(rows[0]?.n)).toBe(0)
  })
})

describe('a field in a large collection whose type changes', () => {
  test('keeps old values in a dropped column until cleanup, which a restart completes', async () => {
    await changeField(records.deps, TESTER, { collection: 'notes', field: 'amount' }, { kind: 'number' })
    await changeField(records.deps, TESTER, { collection: 'notes', field: 'amount' }, { kind: 'text' })
    for (const cleanup of cleanups.splice(0)) await cleanup.stop()
    await startCleanup().settled()
    expect((await leftOver()).filter((what) => what === 'left')).toEqual([])
    const column = await fieldNamed('amount')
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(tableOf(notes))}
      where ${sql.id(column)} = '7'`.execute(records.deps.database.read)
    expect(Number(rows[0]?.n)).toBe(MANY)
    expect(await doctorSays()).toEqual([])
  }, 60_000)
})
