import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { migrate } from './migrate.ts'
import { ALL_MIGRATIONS } from './all-migrations.ts'
import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function anEmptyDatabase(): Promise<Database> {
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

const makesPens = step(1, 'create table pens (ink text)')
const fillsPens = step(2, `insert into pens (ink) values ('blue')`)

const inks = async ({ read }: Database) => (await sql<{ ink: string }>`select ink from pens`.execute(read)).rows

const stepsIn = ({ read }: Database) =>
  read.selectFrom('migrations').select(['number', 'at']).orderBy('number').execute()

describe('bringing the tables up to date', () => {
  test('takes every missing step once, in order, and says which', async () => {
    const database = await anEmptyDatabase()
    expect(await migrate(database, { migrations: [makesPens], now: NOW })).toEqual(['step 1'])
    expect(await migrate(database, { migrations: [makesPens, fillsPens], now: NOW })).toEqual(['step 2'])
    expect(await migrate(database, { migrations: [makesPens, fillsPens], now: NOW })).toEqual([])
    expect(await inks(database)).toEqual([{ ink: 'blue' }])
    const at = NOW.toISOString()
    expect(await stepsIn(database)).toEqual([
      { number: 1, at },
      { number: 2, at },
    ])
  })

  test('by two at once takes each step once', async () => {
    const database = await anEmptyDatabase()
    const both = [1, 2].map(() => migrate(database, { migrations: [makesPens, fillsPens], now: NOW }))
    const taken = await Promise.all(both)
    expect(taken.flat()).toEqual(['step 1', 'step 2'])
    expect(await inks(database)).toHaveLength(1)
  })

  test('that fails half way leaves everything as it was', async () => {
    const database = await anEmptyDatabase()
    const broken = step(3, 'create table pencils (lead text)', 'this is no SQL')
    await expect(migrate(database, { migrations: [makesPens, fillsPens, broken], now: NOW })).rejects.toThrow(/syntax/i)
    await expect(inks(database)).rejects.toThrow(/pens/)
  })

  test('refuses a database that a newer program has changed, and leaves it alone', async () => {
    const database = await anEmptyDatabase()
    await migrate(database, { migrations: [makesPens, fillsPens], now: NOW })
    const older = migrate(database, { migrations: [makesPens], now: NOW })
    await expect(older).rejects.toMatchObject({
      code: 'not-ready',
      message: expect.stringContaining('newer version of Dossier'),
    })
    expect(await stepsIn(database)).toHaveLength(2)
  })
})

describe('the steps there are', () => {
  test('are numbered from 1 without gaps', () => {
    expect(ALL_MIGRATIONS.map(({ number }) => number)).toEqual(ALL_MIGRATIONS.map((_, at) => at + 1))
  })

  test('make every table of ours, each readable by the columns its type names', async () => {
    const database = await anEmptyDatabase()
    await migrate(database)
    const { read } = database
    await read.selectFrom('users').select(['id', 'email_fold', 'disabled_at']).execute()
    await read.selectFrom('sessions').select(['counter', 'successor_seen', 'end_reason']).execute()
    await read.selectFrom('collections').select(['position', 'title_field', 'version']).execute()
    await read.selectFrom('fields').select(['is_unique', 'default_value', 'options']).execute()
    await read.selectFrom('changes').select(['kind', 'before', 'after']).execute()
    await read.selectFrom('uploads').select(['declared_type', 'committed', 'expires_at']).execute()
    await read.selectFrom('assets').select(['hash', 'bytes', 'width', 'expires_at']).execute()
    await read.selectFrom('imports').select(['made_collection', 'preview', 'progress', 'failure']).execute()
    await read.selectFrom('tours').select(['tour', 'version', 'step']).execute()
  })
})
