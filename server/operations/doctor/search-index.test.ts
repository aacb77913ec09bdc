import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldInput } from '#api/collections.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { fullTextTableOf } from '#server/query/search/full-text-index.ts'
import { addField } from '#server/schema/collections/change-collection.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { createRecord } from '#server/records/crud/write-record.ts'
import { indexPending } from '#server/query/search/index/index-pending.ts'
import { MAX_SYNC_ROWS } from '#server/query/search/index/sync-definition.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { checkSearchIndex } from './checks.ts'

let records: TestRecords
let notes = ''

beforeAll(async () => {
  records = await openTestRecords({ dialect: 'sqlite' })
  notes = await records.collection('Notes', [fieldInput.parse({ label: 'Title', kind: 'text' })])
  for (const title of ['One', 'Two']) await createRecord(records.deps, TESTER, { collection: notes }, { title })
})

const indexAll = () => indexPending({ ...records.deps, onIndexed: () => undefined }, new AbortController().signal)

afterAll(() => records.close())

async function findings(): Promise<readonly string[]> {
  const { database, definitions } = records.deps
  return checkSearchIndex.run({
    database,
    definitions: await definitions.current(),
    blobs: openDiskStorage('/nowhere'),
    now: new Date(),
  })
}

const findingsIn = async (collection: string) =>
  (await findings()).filter((line) => line.includes(` of ${collection} `))

test('finds no problems if each stored record is indexed or marked to be indexed', async () => {
  expect(await findings()).toEqual([])
  await indexAll()
  expect(await findings()).toEqual([])
})

test('reports missing and extra records in the search index', async () => {
  const { database, definitions } = records.deps
  const [part] = (await definitions.current()).searchParts.get(notes) ?? []
  const [table, index] = [sql.table(tableOf(notes)), sql.id(fullTextTableOf(part?.id ?? ''))]
  await database.write(({ db }) => sql`delete from ${table} where id = (select min(id) from ${table})`.execute(db))
  expect(await findings()).toEqual(['The search index of notes contains 1 deleted records.'])
  await database.write(({ db }) => sql`delete from ${index} where rowid is not null`.execute(db))
  expect(await findings()).toEqual(['1 records of notes are missing from its search index.'])
})

test('finds no problems for a new empty field of a large collection', async () => {
  const { deps } = records
  const many = await records.collection('Many', [fieldInput.parse({ label: 'Title', kind: 'text' })])
  const create = Array.from({ length: MAX_SYNC_ROWS + 1 }, (_, at) => ({ values: { title: `${at}` } }))
  await changeListed(deps, TESTER, many, { create })
  await addField(deps, TESTER, many, fieldInput.parse({ label: 'Town', kind: 'text' }))
  await createRecord(deps, TESTER, { collection: many }, { town: 'Linz' })
  expect(await findingsIn('many')).toEqual([])
  await indexAll()
  expect(await findingsIn('many')).toEqual([])

  const [, part] = (await deps.definitions.current()).searchParts.get(many) ?? []
  const index = sql.id(fullTextTableOf(part?.id ?? ''))
  await deps.database.write(({ db }) => sql`delete from ${index} where rowid is not null`.execute(db))
  expect(await findingsIn('many')).toEqual(['1 records of many are missing from its search index.'])
})
