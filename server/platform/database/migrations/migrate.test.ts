import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ALL_MIGRATIONS, migrate } from './migrate.ts'
import { type Migration, runStatements } from './migration.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function createEmptyDatabase(): Promise<Database> {
  const { database, close } = await openTestDatabase({ isMigrated: false })
  ends.push(close)
  return database
}

const NOW = new Date('2026-11-20T09:00:00.000Z')

const step = (number: number, ...statements: string[]): Migration => ({
  number,
  name: `step ${number}`,
  apply: (transaction) => runStatements(transaction, statements),
})

const createsPens = step(1, 'create table pens (ink text)')
const fillsPens = step(2, `insert into pens (ink) values ('blue')`)

const inks = async ({ read }: Database) => (await sql<{ ink: string }>`select ink from pens`.execute(read)).rows

const appliedIn = ({ read }: Database) =>
  read.selectFrom('migrations').select(['number', 'at']).orderBy('number').execute()

describe('migrate', () => {
  test('applies missing migrations in order and returns their names', async () => {
    const database = await createEmptyDatabase()
    expect(await migrate(database, { migrations: [createsPens], now: NOW })).toEqual(['step 1'])
    expect(await migrate(database, { migrations: [createsPens, fillsPens], now: NOW })).toEqual(['step 2'])
    expect(await migrate(database, { migrations: [createsPens, fillsPens], now: NOW })).toEqual([])
    expect(await inks(database)).toEqual([{ ink: 'blue' }])
    const at = NOW.toISOString()
    expect(await appliedIn(database)).toEqual([
      { number: 1, at },
      { number: 2, at },
    ])
  })

  test('applies each migration once when two processes start together', async () => {
    const database = await createEmptyDatabase()
    const both = [1, 2].map(() => migrate(database, { migrations: [createsPens, fillsPens], now: NOW }))
    const taken = await Promise.all(both)
    expect(taken.flat()).toEqual(['step 1', 'step 2'])
    expect(await inks(database)).toHaveLength(1)
  })

  test('rolls everything back when a migration fails', async () => {
    const database = await createEmptyDatabase()
    const broken = step(3, 'create table pencils (lead text)', 'this is no SQL')
    await expect(migrate(database, { migrations: [createsPens, fillsPens, broken], now: NOW })).rejects.toThrow(
      /syntax/i,
    )
    await expect(inks(database)).rejects.toThrow(/pens/)
  })

  test('rejects a database from a newer version and leaves it unchanged', async () => {
    const database = await createEmptyDatabase()
    await migrate(database, { migrations: [createsPens, fillsPens], now: NOW })
    const older = migrate(database, { migrations: [createsPens], now: NOW })
    await expect(older).rejects.toMatchObject({
      code: 'not-ready',
      message: expect.stringContaining('newer version of Dossier'),
    })
    expect(await appliedIn(database)).toHaveLength(2)
  })
})

describe('the migrations', () => {
  test('are numbered without gaps', () => {
    const numbers = ALL_MIGRATIONS.map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
  })

  test('create every table with the columns of its type', async () => {
    const database = await createEmptyDatabase()
    await migrate(database)
    const { read } = database
    await read.selectFrom('users').select(['id', 'email_fold', 'disabled_at']).execute()
    await read.selectFrom('sessions').select(['counter', 'successor_seen', 'end_reason']).execute()
    await read
      .selectFrom('collections')
      .select(['position', 'title_field', 'version', 'description', 'layout'])
      .execute()
    await read.selectFrom('fields').select(['is_unique', 'default_value', 'options', 'description']).execute()
    await read.selectFrom('changes').select(['kind', 'before', 'after']).execute()
    await read.selectFrom('uploads').select(['declared_type', 'committed', 'expires_at']).execute()
    await read.selectFrom('assets').select(['hash', 'bytes', 'width', 'expires_at']).execute()
    await read.selectFrom('imports').select(['made_collection', 'preview', 'progress', 'failure']).execute()
    await read.selectFrom('tours').select(['tour', 'version', 'step']).execute()
  })

  test('make the audit log append-only', async () => {
    const database = await createEmptyDatabase()
    await migrate(database)
    const run = (statement: string) => database.write((transaction) => runStatements(transaction, [statement]))
    await run(`insert into audit_log (id, at, kind, address, details) values ('1', '', 'signed-in', '', '{}')`)
    for (const statement of [`update audit_log set kind = 'x'`, `delete from audit_log where id = '1'`])
      await expect(run(statement)).rejects.toThrow(/append-only/)
  })
})
