import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { insertCollection } from '#server/query/definitions/store.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { runChecks } from './run-checks.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const id = (digit: string): string => digit.repeat(26)
const NOW = new Date('2026-11-20T09:00:00.000Z')
const AT = NOW.toISOString()

const field = (digit: string, rest: Partial<Field>): Field =>
  ({
    id: id(digit),
    name: `field${digit}`,
    label: '',
    kind: 'text',
    required: false,
    unique: false,
    default: null,
    options: {},
    ...rest,
  }) as Field

const title = field('2', { name: 'title', unique: true })
const pictures = field('3', { name: 'pictures', kind: 'files' })
const isDone = field('4', { name: 'done', kind: 'checkbox' })
const animals: Collection = {
  id: id('1'),
  name: 'animals',
  label: 'Animals',
  fields: [
    title,
    pictures,
    isDone,
    field('5', { kind: 'number' }),
    field('6', { kind: 'rich-text' }),
    field('7', { kind: 'date' }),
  ],
  titleField: title.id,
  version: 1,
}
const TABLE = sql.table(tableOf(animals.id))

async function aPatient() {
  const { database, close } = await openTestDatabase()
  ends.push(close)
  const folder = await mkdtemp(join(tmpdir(), 'dossier-doctor-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await database.write(async (transaction) => {
    await insertCollection(transaction, animals)
    await createTables(transaction, animals)
    const { db } = transaction
    await sql`insert into ${TABLE} (id, version, created_at, updated_at) values (${id('a')}, 1, ${AT}, ${AT})`.execute(
      db,
    )
    await db.insertInto('changes').values(aChange('b', 'record-created')).execute()
  })
  return { database, examine: () => findings(database, folder) }
}

const aChange = (digit: string, kind: string, at = AT) => ({
  id: id(digit),
  at,
  user_id: null,
  kind,
  collection_id: animals.id,
  record_id: id('a'),
  before: null,
  after: null,
})

async function findings(database: Database, folder: string): Promise<string[]> {
  const definitions = await definitionsCache(database, () => 0).current()
  const found: string[] = []
  await runChecks({ database, definitions, blobs: openDiskStorage(folder), now: NOW }, (one) =>
    found.push(...one.findings),
  )
  return found
}

/** Damage to a healthy database, and the finding that doctor must report. */
type Wound = { readonly what: string; readonly how: (database: Database) => Promise<unknown>; readonly says: RegExp }

const run = (database: Database, statement: string) => database.write(({ db }) => sql.raw(statement).execute(db))

/** Only SQLite stores row numbers for records. */
const A_WRONG_NUMBER: Wound = {
  what: 'a number out of the order of ids',
  how: (database) => {
    const columns = '(seq, id, version, created_at, updated_at)'
    return run(database, `insert into ${tableOf(animals.id)} ${columns} values (-1, '${id('z')}', 1, '${AT}', '${AT}')`)
  },
  says: /1 records of animals have sequence numbers that don't match/,
}

const WOUNDS: readonly Wound[] = [
  {
    what: 'a column that is missing',
    how: (database) => run(database, `alter table ${tableOf(animals.id)} drop column ${columnOf(isDone.id)}`),
    says: /has no column f_4{26}/,
  },
  {
    what: 'a column without a definition',
    how: (database) => run(database, `alter table ${tableOf(animals.id)} add column f_9 text`),
    says: /Column f_9 .* isn't used by any definition/,
  },
  {
    what: 'a list table that is missing',
    how: (database) => run(database, `drop table ${listTableOf(pictures.id)}`),
    says: /Table l_3{26} of the field animals\.pictures is missing/,
  },
  {
    what: 'a table without a definition',
    how: (database) => run(database, `create table c_${id('8')} (id text)`),
    says: /Table c_8{26} isn't used by any definition/,
  },
  {
    what: 'a record that is gone without a word in the log',
    how: (database) => run(database, `delete from ${tableOf(animals.id)}`),
    says: /Record a{26} of animals is missing without a deletion/,
  },
  {
    what: 'a record that the log calls deleted',
    how: (database) =>
      database.write(({ db }) => db.insertInto('changes').values(aChange('c', 'record-deleted')).execute()),
    says: /was deleted, but it exists/,
  },
  {
    what: 'an entry from the future',
    how: (database) =>
      database.write(({ db }) =>
        db
          .insertInto('changes')
          .values(aChange('c', 'record-changed', '2030-01-01T00:00:00.000Z'))
          .execute(),
      ),
    says: /1 entries are dated in the future/,
  },
  {
    what: 'a version that cannot be',
    how: (database) => run(database, `update ${tableOf(animals.id)} set version = 0`),
    says: /1 records of animals have an invalid version/,
  },
  ...(testDialect() === 'sqlite' ? [A_WRONG_NUMBER] : []),
]

describe('doctor', () => {
  test('finds no problems in a healthy database', async () => {
    const patient = await aPatient()
    expect(await patient.examine()).toEqual([])
  })

  test.each(WOUNDS)('finds $what', async ({ how, says }) => {
    const patient = await aPatient()
    await how(patient.database)
    expect(await patient.examine()).toEqual([expect.stringMatching(says)])
  })

  test('finds an interrupted import', async () => {
    const patient = await aPatient()
    await patient.database.write(({ db }) =>
      db
        .insertInto('imports')
        .values({
          id: id('d'),
          user_id: null,
          file_name: 'birds.csv',
          bytes: 1,
          state: 'running',
          collection_id: animals.id,
          made_collection: 0,
          preview: null,
          progress: '{}',
          failure: null,
          created_at: AT,
          ended_at: null,
        })
        .execute(),
    )
    expect(await patient.examine()).toEqual([expect.stringContaining('birds.csv is running')])
  })
})
